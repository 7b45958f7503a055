"""An S3 server on loopback: moto's."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch
from uuid import uuid4

import pytest


@contextmanager
def run_object_store() -> Iterator[str]:
    """Start the server with an empty bucket, and make it the one that every s3:// URL means."""
    moto_server = pytest.importorskip(
        "moto.server", reason="needs moto: pip install 'moto[s3]' flask flask-cors"
    )
    s3fs = pytest.importorskip("s3fs", reason="needs s3fs: pip install '.[remote]'")
    server = moto_server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        _, port = server.get_host_and_port()
        access = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
        }
        with patch.dict(os.environ, access):
            s3fs.S3FileSystem.clear_instance_cache()
            bucket = f"threadmill-{uuid4().hex[:8]}"  # the servers of one process share their buckets
            s3fs.S3FileSystem().mkdir(bucket)
            yield f"s3://{bucket}"
    finally:
        server.stop()
        forget_servers()


def forget_servers() -> None:
    """Drop all connections of fsspec, as if this process had never talked to a server."""
    asyn = pytest.importorskip("fsspec.asyn")
    kinds = [asyn.AsyncFileSystem]
    for kind in kinds:
        kind.clear_instance_cache()
        kinds.extend(kind.__subclasses__())
    asyn.iothread[0] = asyn.loop[0] = None
