import { expect, test } from 'vitest'
import { hostOf } from './check-hosts.ts'

test.each(['https://api.example.com', 'https://api.example.com/v2', 'https://api.example.com:8443/v2/'])(
  'the host of %s may be named',
  (url) => {
    expect(hostOf(url)).toEqual({ host: 'api.example.com' })
  },
)

test.each([
  'http://api.example.com',
  'ftp://api.example.com',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '/v2',
  '',
  'https://',
  'https://localhost',
  'https://LOCALHOST:3000',
  'https://printer',
  'https://db.internal',
  'https://router.lan',
  'https://a.onion',
  'https://127.0.0.1',
  'https://2130706433',
  'https://0x7f.1',
  'https://[::1]/',
  'https://[fd00::1]/',
  'https://169.254.169.254/latest/meta-data',
  'https://ada:secret@api.example.com',
  'https://ada@api.example.com',
  'https://api.example.com/?key=1',
  'https://api.example.com/#part',
  'https://{region}.example.com',
  'https://api.example.com/{version}',
])('a connector cannot name %s', (url) => {
  const { host, problem } = hostOf(url)
  expect(host).toBeUndefined()
  expect(problem).toMatch(/\.$/)
})
