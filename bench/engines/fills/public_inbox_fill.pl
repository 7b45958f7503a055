# Adds the messages on standard input (one JSON string a line) to the inbox that is named.
use strict;
use warnings;
use JSON::PP;
use PublicInbox::Config;
use PublicInbox::Eml;
use PublicInbox::InboxWritable;

my $inbox = PublicInbox::Config->new->lookup_name($ARGV[0]) or die "no inbox $ARGV[0]";
my $writer = PublicInbox::InboxWritable->new($inbox)->importer(0);
my $json = JSON::PP->new->allow_nonref->utf8(1);
while (my $line = <STDIN>) {
    my $text = $json->decode($line);
    utf8::encode($text);
    $writer->add(PublicInbox::Eml->new(\$text));
}
$writer->done;
