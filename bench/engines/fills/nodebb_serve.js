// Run by Node where NodeBB is: serves it on the port told, whatever port its addresses have.
'use strict';

const net = require('net');
const path = require('path');

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, ...rest) {
  const done = rest.find((value) => typeof value === 'function');
  return listen.call(this, Number(process.argv[2]), '127.0.0.1', done);
};
require(path.join(process.cwd(), 'app.js'));
