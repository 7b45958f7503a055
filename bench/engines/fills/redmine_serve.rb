# Serves Redmine by WEBrick, which its list of packages does not name: redmine_serve.rb FOLDER PORT
require 'webrick'
folder, port = ARGV
require File.join(folder, 'config/environment')
require 'rack/handler/webrick'
Rack::Handler::WEBrick.run(Rails.application, Host: '127.0.0.1', Port: port.to_i, AccessLog: [])
