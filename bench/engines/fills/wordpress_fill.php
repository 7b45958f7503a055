<?php
// Run by PHP: php wordpress_fill.php FOLDER THEME < world.json. Brings WordPress to the state told.
$_SERVER += ['HTTP_HOST' => 'localhost', 'SERVER_PROTOCOL' => 'HTTP/1.1', 'REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/'];
define('WP_INSTALLING', !file_exists("$argv[1]/installed"));
require "$argv[1]/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/taxonomy.php';

if (WP_INSTALLING) {
    wp_install('Bench', 'bench', 'bench@people.example', true, '', 'secret-of-the-bench');
    switch_theme($argv[2]);
    global $wp_rewrite;
    $wp_rewrite->set_permalink_structure('/%year%/%monthnum%/%postname%/');
    $wp_rewrite->flush_rules();
    foreach (['page_comments' => 1, 'comments_per_page' => 20, 'thread_comments' => 1, 'timezone_string' => 'UTC',
              'close_comments_for_old_posts' => 0, 'comment_moderation' => 0] as $name => $value) {
        update_option($name, $value);
    }
    wp_delete_post(1, true);
    file_put_contents("$argv[1]/installed", '');
}

$world = json_decode(stream_get_contents(STDIN), true);
$known = get_option('bench_known', []);

function bench_user($name) {
    $found = get_user_by('login', $name);
    return $found ? $found->ID : wp_insert_user(
        ['user_login' => $name, 'user_pass' => 'x', 'user_email' => "$name@people.example", 'role' => 'author']);
}

function bench_text($post) {
    $quote = $post['quote'] ? '<blockquote>' . esc_html("$post[quoted]: $post[quote]") . "</blockquote>\n\n" : '';
    return $quote . implode("\n\n", array_map('esc_html', $post['body']));
}

wp_defer_comment_counting(true);
$categories = array_map('wp_create_category', $world['boards']);
foreach ($world['threads'] as $thread) {
    $first = $thread['posts'][0];
    if (!isset($known[$first['number']])) {
        $when = str_replace('T', ' ', $first['when']);
        $known[$first['number']] = wp_insert_post([
            'post_title' => wp_slash($thread['title']), 'post_content' => wp_slash(bench_text($first)),
            'post_status' => 'publish', 'post_author' => bench_user($first['author']), 'comment_status' => 'open',
            'post_date' => $when, 'post_date_gmt' => $when, 'post_category' => [$categories[$thread['board']]]]);
    }
    $article = $known[$first['number']];
    foreach (array_slice($thread['posts'], 1) as $post) {
        if (isset($known[$post['number']])) continue;
        $when = str_replace('T', ' ', $post['when']);
        $known[$post['number']] = wp_insert_comment([
            'comment_post_ID' => $article, 'comment_author' => $post['author'],
            'comment_author_email' => "$post[author]@people.example", 'comment_author_url' => '',
            'comment_content' => wp_slash(bench_text($post)), 'comment_approved' => 1,
            'comment_date' => $when, 'comment_date_gmt' => $when,
            'comment_parent' => $post['parent'] == $first['number'] ? 0 : $known[$post['parent']]]);
    }
}
wp_defer_comment_counting(false);
update_option('bench_known', $known, false);
