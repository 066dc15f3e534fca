"""Swift of OpenStack with its S3 API: its proxy, account, container and object servers in one process, objects in memory.

Arguments: a folder, a region, an access key of the form ACCOUNT:USER and its secret. Prints the port of the S3 API.
"""

import sys

import eventlet

eventlet.monkey_patch()

from os.path import join
from eventlet import tpool, wsgi
from swift.account.server import AccountController
from swift.common import utils
from swift.common.http_protocol import SwiftHttpProtocol
from swift.common.middleware import catch_errors, listing_formats, tempauth
from swift.common.middleware.s3api import s3api
from swift.common.ring import RingBuilder
from swift.container.server import ContainerController
from swift.obj.mem_server import ObjectController
from swift.proxy.server import Application

folder, region, access_key, secret = sys.argv[1:]
logger = utils.get_logger({'log_level': 'CRITICAL'}, log_route='swift')


def listen(app):
    """@return the port at which an app of WSGI listens."""
    sock = eventlet.listen(('127.0.0.1', 0))
    eventlet.spawn(wsgi.server, sock, app, log_output=False, protocol=SwiftHttpProtocol)
    return sock.getsockname()[1]


def ring(name, port):
    """Writes a ring of one device."""
    builder = RingBuilder(part_power=1, replicas=1, min_part_hours=0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'device'})
    builder.rebalance()
    builder.get_ring().save(join(folder, name + '.ring.gz'))


class Cache:
    """Stands in for memcached, which keeps tokens and what is known of accounts."""

    def __init__(self):
        self.values = {}

    def get(self, key, *_, **__):
        return self.values.get(key)

    def set(self, key, value, *_, **__):
        self.values[key] = value

    def delete(self, key, *_, **__):
        self.values.pop(key, None)


conf = {'devices': folder, 'mount_check': 'false', 'swift_dir': folder, 'fallocate_reserve': '0'}
utils.mkdirs(join(folder, 'device'))
with open(join(folder, 'swift.conf'), 'w') as file:
    file.write('[swift-hash]\nswift_hash_path_suffix = millrace\n')
utils.set_swift_dir(folder)
ring('account', listen(AccountController(conf, logger)))
ring('container', listen(ContainerController(conf, logger)))
ring('object', listen(ObjectController(conf, logger)))

app = Application({**conf, 'account_autocreate': 'true', 'allow_account_management': 'true'}, logger)
account, user = access_key.split(':')
app = tempauth.filter_factory({**conf, f'user_{account}_{user}': secret + ' .admin'})(app)
app = s3api.filter_factory({**conf, 'location': region, 'log_level': 'CRITICAL'})(app)
app = listing_formats.filter_factory(conf)(app)
app = catch_errors.filter_factory(conf)(app)
cache = Cache()
port = listen(lambda env, start_response: app({**env, 'swift.cache': cache}, start_response))
print(port, flush=True)
# Ends with the program that started it.
tpool.execute(sys.stdin.read)
