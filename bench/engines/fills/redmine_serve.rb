# Serves Redmine by WEBrick, which its list of packages does not name: redmine_serve.rb FOLDER PORT CLOCK
# CLOCK is a file with the seconds between the present and the time that the server is to have.
require 'webrick'
folder, port, CLOCK = ARGV

class << Time
  alias_method :present, :now

  def now(**zone)
    present(**zone) + File.read(CLOCK).to_i
  end
end

require File.join(folder, 'config/environment')
require 'rack/handler/webrick'
Rack::Handler::WEBrick.run(Rails.application, Host: '127.0.0.1', Port: port.to_i, AccessLog: [])
