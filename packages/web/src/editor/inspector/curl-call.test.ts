import { expect, test } from 'vitest'
import { curlNotes, readCurl } from '#src/editor/inspector/curl-call.ts'

test.each<[string, string, object]>([
  ['an address alone', 'curl https://api.example/orders?page=2', { method: 'get', endpoint: 'https://api.example/orders?page=2' }],
  [
    'JSON over several lines, as documentation has it',
    `curl -X POST https://api.example/orders \\\n  -H "Authorization: Bearer abc" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name": "O'\\''Hara", "lines": [1]}'`,
    {
      method: 'post',
      endpoint: 'https://api.example/orders',
      headers: { authorization: 'Bearer abc' },
      body: { name: "O'Hara", lines: [1] },
    },
  ],
  [
    'a copy from a browser',
    `curl 'https://app.example/graphql' -H 'accept: */*' -H 'content-type: application/json' -b 'session=1' --data-raw $'{"query":"a\\\\nb"}' --compressed`,
    {
      method: 'post',
      endpoint: 'https://app.example/graphql',
      headers: { accept: '*/*', cookie: 'session=1' },
      body: { query: 'a\nb' },
    },
  ],
  [
    'escapes of Chrome, and options with values before the address',
    `curl --max-redirs 5 --noproxy '*' 'https://app.example/login' -H $'x-note: it\\'s \\u0041\\x42\\103' --data-raw $'{"password":"a\\u0021b"}'`,
    {
      method: 'post',
      endpoint: 'https://app.example/login',
      headers: { 'x-note': "it's ABC" },
      body: { password: 'a!b' },
    },
  ],
  [
    'a copy for the prompt of Windows',
    'curl ^"https://app.example/a?b=1^&c=2^" ^\r\n  -H ^"accept: application/json^" ^\r\n  --data-raw ^"^{^\\^"name^\\^":^\\^"100^%^\\^"^}^"',
    {
      method: 'post',
      endpoint: 'https://app.example/a?b=1&c=2',
      headers: { accept: 'application/json' },
      body: { name: '100%' },
    },
  ],
  [
    'a form with a user, as Stripe documents it',
    'curl https://api.stripe.com/v1/charges -u sk_test_1: -d amount=2000 -d currency=eur --data-urlencode "note=a & b"',
    {
      method: 'post',
      endpoint: { uri: 'https://api.stripe.com/v1/charges', authentication: { basic: { username: 'sk_test_1', password: '' } } },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: { amount: '2000', currency: 'eur', note: 'a & b' },
    },
  ],
  [
    'data for the query, letters together, and a value in the same word',
    'curl -sSG -XGET api.example/find -d q=tea -m5 -o out.json',
    { method: 'get', endpoint: 'https://api.example/find', query: { q: 'tea' } },
  ],
  [
    'parts of a form',
    "curl -F name=Ada -F 'note=1=1' https://api.example/up",
    {
      method: 'post',
      endpoint: 'https://api.example/up',
      headers: { 'content-type': 'multipart/form-data' },
      body: { name: 'Ada', note: '1=1' },
    },
  ],
  [
    'text of another type',
    `curl https://api.example/x --request PUT -H 'content-type: text/xml' -d '<a b="c"/>'`,
    { method: 'put', endpoint: 'https://api.example/x', headers: { 'content-type': 'text/xml' }, body: '<a b="c"/>' },
  ],
])('a command of curl with %s is a call', (_what, command, call) => {
  expect(readCurl(command)).toEqual(call)
})

test.each(['https://api.example', 'curly https://a.example', 'curl -X POST', ''])('"%s" is no command of curl with an address', (text) => {
  expect(readCurl(text)).toBeUndefined()
})

test.each([
  ['curl -u ada:pass https://a.example', ['credential']],
  ["curl -H 'Authorization: Bearer abc' https://a.example", ['credential']],
  ["curl -H 'X-Api-Key: abc' -k https://a.example", ['credential', 'insecure']],
  ['curl -sk https://a.example', ['insecure']],
  ["curl -H 'Accept: text/html' https://a.example", []],
])('of %s a person learns %j', (command, notes) => {
  expect(curlNotes(command)).toEqual(notes)
})
