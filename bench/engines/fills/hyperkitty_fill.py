"""Run by the Python that has HyperKitty: archives the messages on standard input."""

# mypy: ignore-errors
# ruff: noqa: E402 -- Django's models can be imported only after its set-up
import json
import sys
from email import message_from_string, policy

import django

django.setup()

from django.db import transaction
from hyperkitty.lib.incoming import add_to_list
from hyperkitty.models import Email, MailingList, Thread

with transaction.atomic():
    for line in sys.stdin:
        entry = json.loads(line)
        message = message_from_string(entry["message"], policy=policy.default)
        message.set_unixfrom("")
        add_to_list(entry["list"], message)
        MailingList.objects.filter(name=entry["list"]).update(
            display_name=entry["title"], description=f"About {entry['title'].lower()}"
        )
    for thread in Thread.objects.all():
        last = thread.emails.order_by("date").last()
        Thread.objects.filter(pk=thread.pk).update(date_active=last.date)
    for email in Email.objects.all():
        Email.objects.filter(pk=email.pk).update(archived_date=email.date)
