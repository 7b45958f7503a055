# Run by Redmine's own runner: boards, users and messages of the world on standard input. What is there stays.
require 'json'
world = JSON.parse($stdin.read)
ActionMailer::Base.perform_deliveries = false
Setting.user_format = 'username'
Setting.text_formatting = 'textile'
Setting.default_language = 'en'
first = Time.utc(2020)
project = Project.find_by(identifier: 'talk') ||
          Project.create!(name: 'Talk', identifier: 'talk', is_public: true, enabled_module_names: ['boards'],
                          created_on: first, updated_on: first)
boards = world['boards'].map do |title|
  Board.find_by(project_id: project.id, name: title) ||
    Board.create!(project: project, name: title, description: "About #{title.downcase}")
end
people = Hash.new do |known, name|
  user = User.find_by_login(name) || User.new(firstname: name, lastname: name, mail: "#{name}@people.example",
                                              language: 'en', status: 1, created_on: first, updated_on: first)
  user.login ||= name
  user.login = name
  user.save!
  known[name] = user
end
known = Message.pluck(:content, :id).to_h { |text, id| [text[/note(\d+)\.\s*\z/, 1].to_i, id] }
# Lists are sorted by the numbers of messages, so these are made in the order in which they were written.
sent = world['threads'].each_with_index.flat_map { |thread, n| thread['posts'].map { |post| [post['when'], n, post] } }
Message.transaction do
  sent.sort_by { |at, n, post| [at, n, post['number']] }.each do |at, n, post|
    next if known[post['number']]

    thread, at = world['threads'][n], Time.iso8601("#{at}Z")
    root = Message.find_by(id: known[thread['posts'][0]['number']])
    parts = post['body']
    parts = ["#{post['quoted']} wrote:\n> #{post['quote']}"] + parts unless post['quote'].empty?
    made = Message.new(board: boards[thread['board']], author: people[post['author']], parent: root,
                       subject: root ? "RE: #{thread['title']}" : thread['title'],
                       content: parts.join("\n\n"), created_on: at, updated_on: at)
    made.save!
    known[post['number']] = made.id
    root&.update_columns(updated_on: at)
  end
end
boards.each { |board| Board.reset_counters!(board.id) }
