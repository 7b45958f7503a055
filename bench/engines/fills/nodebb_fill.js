// Run by Node where NodeBB is: brings its database to the state told on standard input.
'use strict';

const fs = require('fs');
const path = require('path');
const { promisify } = require('util');

const here = (name) => require(path.join(process.cwd(), name));
const nconf = here('node_modules/nconf');
nconf.file({ file: path.join(process.cwd(), 'config.json') });
nconf.defaults({
  base_dir: process.cwd(),
  themes_path: path.join(process.cwd(), 'node_modules'),
  views_dir: path.join(process.cwd(), 'public/templates'),
  upload_path: '/public/uploads',
  relative_path: '',
});

const call = (object, name, ...words) => promisify(object[name].bind(object))(...words);
const text = (post) =>
  (post.quote ? `> @${post.quoted} said: ${post.quote}\n\n` : '') + post.body.join('\n\n');

async function fill(world) {
  const db = here('src/database');
  await call(db, 'init');
  await call(here('src/meta').configs, 'init');
  const [user, categories, topics, posts] = ['user', 'categories', 'topics', 'posts'].map((n) => here(`src/${n}`));
  const known = (await call(db, 'getObject', 'bench')) || {};
  const remember = async (key, value) => {
    known[key] = value;
    await call(db, 'setObjectField', 'bench', key, value);
    return value;
  };
  const uid = async (name) =>
    known[`user ${name}`] || remember(`user ${name}`, await call(user, 'create', { username: name }));
  const cid = async (name) =>
    known[`board ${name}`] ||
    remember(`board ${name}`, (await call(categories, 'create', { name, description: '' })).cid);
  if (!known.cleaned) {
    await call(topics, 'purgePostsAndTopic', 1, 1); // NodeBB's own welcome
    await remember('cleaned', 1);
  }
  for (const thread of world.threads) {
    const key = `thread ${thread.posts[0].number}`;
    for (const post of thread.posts) {
      if (known[`post ${post.number}`]) continue;
      const timestamp = Date.parse(`${post.when}Z`);
      const data = { uid: await uid(post.author), timestamp };
      if (!known[key]) {
        const topic = { ...data, cid: await cid(world.boards[thread.board]), title: thread.title };
        await remember(key, await call(topics, 'create', topic));
      }
      const toPid = known[`post ${post.parent}`];
      const made = { ...data, tid: known[key], content: text(post), ...(toPid ? { toPid } : {}) };
      await remember(`post ${post.number}`, (await call(posts, 'create', made)).pid);
    }
  }
}

fill(JSON.parse(fs.readFileSync(0, 'utf8'))).then(
  () => process.exit(0),
  (reason) => {
    console.error(reason);
    process.exit(1);
  },
);
