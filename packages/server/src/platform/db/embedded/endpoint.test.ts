import { expect, test } from 'vitest'
import { chooseEndpoint, endpointSettings, urlOf } from './endpoint.ts'
import { endpointOf } from './postmaster.ts'

test('a unix socket is used when its path is short enough', async () => {
  expect(await chooseEndpoint('/srv/millrace')).toEqual({ kind: 'socket', directory: '/srv/millrace' })
})

test.each([
  ['too long', `/${'x'.repeat(93)}`],
  ['too long in bytes, not in characters', `/${'ü'.repeat(47)}`],
  ['with a comma, which separates directories', '/srv/a,b'],
  ['with a quotation mark', '/srv/a"b'],
])('a free port is used when the path is %s', async (_what, directory) => {
  expect(await chooseEndpoint(directory)).toMatchObject({ kind: 'tcp', port: expect.any(Number) })
})

test('PostgreSQL listens at its one endpoint and nowhere else', () => {
  expect(endpointSettings({ kind: 'socket', directory: '/a' })).toMatchObject({ listen_addresses: '', unix_socket_directories: '/a' })
  expect(endpointSettings({ kind: 'tcp', port: 5 })).toEqual({ listen_addresses: '127.0.0.1', unix_socket_directories: '', port: '5' })
})

test('a connection string carries a password and a path with any characters', () => {
  const url = new URL(urlOf({ kind: 'socket', directory: '/srv/ü b' }, 'u', 'p@/:?', 'd'))
  expect(decodeURIComponent(url.password)).toBe('p@/:?')
  expect(url.searchParams.get('host')).toBe('/srv/ü b')
})

test('a connection string names the port when there is no socket', () => {
  expect(urlOf({ kind: 'tcp', port: 5 }, 'u', 'p', 'd')).toBe('postgresql://u:p@127.0.0.1:5/d')
})

test('the endpoint of a running PostgreSQL is read from its postmaster.pid', () => {
  const file = { pid: 1, port: 5, status: 'ready' }
  expect(endpointOf({ ...file, socketDirectory: '/a' })).toEqual({ kind: 'socket', directory: '/a' })
  expect(endpointOf({ ...file, socketDirectory: '' })).toEqual({ kind: 'tcp', port: 5 })
})
