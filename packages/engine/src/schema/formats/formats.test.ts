import { describe, expect, test } from 'vitest'
import { createValidator } from '#schema/validator.ts'

/** Cases beyond the official test suite: boundaries, and the behaviour of the previous library. */
const cases: Readonly<Record<string, { readonly fits: readonly string[]; readonly not: readonly string[] }>> = {
  date: {
    fits: ['2024-02-29', '0000-01-01', '2000-02-29'],
    not: ['2023-02-29', '1900-02-29', '2023-04-31', '2023-1-1', '2023-00-10', '2023-13-01', '12023-01-01', '২০২৩-০১-০১'],
  },
  time: {
    fits: ['00:00:00Z', '23:59:60Z', '22:59:60-01:00', '00:29:60+00:30', '12:00:00.123456789+14:00', '12:00:00z'],
    not: ['24:00:00Z', '12:00:00', '12:60:00Z', '12:00:61Z', '22:59:60Z', '12:00:00.Z', '12:00:00+24:00', '12:00Z'],
  },
  'date-time': {
    fits: ['2030-01-02T03:04:05Z', '2030-01-02t03:04:05z', '2030-01-02 03:04:05+01:00'],
    not: ['2030-01-02', '2030-01-02T03:04:05', '2030-01-02_03:04:05Z', '2030-02-30T03:04:05Z', '2030-01-02T03:04:05Z '],
  },
  duration: {
    fits: ['P1Y2M3DT4H5M6S', 'PT1S', 'P3W', 'P1Y', 'P1M', 'P0D', 'PT36H'],
    not: ['P', 'PT', 'P1', '1D', 'P1D2W', 'P1YT', 'P1S', 'PT1D', 'P1DT1HT1M', 'P1,5D', `P${'1'.repeat(300)}D`],
  },
  email: {
    fits: [
      'a@b.test',
      'a.b+c@d-e.test',
      '"a b"@c.test',
      '"a\\"b"@c.test',
      'a@[127.0.0.1]',
      'a@[IPv6:::1]',
      `${'a'.repeat(64)}@b.test`,
      '"a@b"@c.test',
    ],
    not: [
      'a',
      '@b.test',
      'a@',
      'a..b@c.test',
      '.a@c.test',
      'a.@c.test',
      'a b@c.test',
      `${'a'.repeat(65)}@b.test`,
      'a@[127.0.0.256]',
      'a@[1',
      'a@b_c.test',
      'a@b@c.test',
    ],
  },
  hostname: {
    fits: ['a', 'a.b', 'a-b.c1', 'A.B', '1.2', 'a'.repeat(63), Array.from({ length: 126 }, () => 'a').join('.')],
    not: ['', '.', 'a.', '.a', '-a', 'a-', 'a_b', 'a'.repeat(64), Array.from({ length: 128 }, () => 'a').join('.'), 'ä.test'],
  },
  ipv4: {
    fits: ['0.0.0.0', '255.255.255.255', '1.2.3.4'],
    not: ['256.1.1.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4 ', '1..2.3', '0x1.2.3.4', '১.2.3.4'],
  },
  ipv6: {
    fits: [
      '::',
      '::1',
      '1::',
      '1:2:3:4:5:6:7:8',
      '1:2:3:4:5:6:7::',
      '::2:3:4:5:6:7:8',
      '::ffff:1.2.3.4',
      '1:2:3:4:5:6:1.2.3.4',
      'ABCD::ef01',
    ],
    not: [
      '',
      ':',
      ':::',
      '1',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
      '12345::',
      '::g',
      '1.2.3.4',
      '1.2.3.4::',
      '::1.2.3',
      '1:2:3:4:5:6:7:1.2.3.4',
      'fe80::1%eth0',
      ':1::',
      '1::2:',
    ],
  },
  uri: {
    fits: [
      'a:',
      'http://a',
      'http://a:80/b?c#d',
      'urn:a:b',
      'mailto:a@b.test',
      'http://[::1]:8080/',
      'http://[v1.a:b]/',
      'ftp://u:p@h/',
      'http://a/%41',
      'tel:+1',
      'http://',
      'x:/a//b',
      'http://a?b/c?d',
    ],
    not: [
      '',
      'a',
      '/a',
      '//a',
      'http://a b',
      'http://a/%4',
      'http://a/%4g',
      'http://[::1',
      'http://[::g]/',
      'http://[::1]a/',
      'http://a:b/',
      '1a:b',
      'http://a/<b>',
      'http://a/#b#c',
      'http://ä/',
      'http://a\\b',
      'http://a/"',
    ],
  },
  'uri-reference': {
    fits: ['', 'a', '/a', '//a', '?a', '#a', '../a', 'http://a', 'a/b:c', './a:b'],
    not: ['a b', ':a', '1:a', '#a#b', '//a:b', '%', 'a\\b', '<'],
  },
  'uri-template': {
    fits: ['', 'a', '{a}', 'http://a/{b}/{?c,d*}', '{+a:3}', '{a.b}', '{%41}', 'a%41'],
    not: ['{', '}', '{}', '{a', 'a}', '{a,}', '{a b}', '{a:0}', '{a:12345}', '{a..b}', '{{a}}', '%4', 'a b', '{.}'],
  },
  url: {
    fits: ['http://a.test', 'https://a.test:8080/b?c#d', 'ftp://a.test/x', 'http://ä.test/', 'HTTP://A.TEST'],
    not: [
      '',
      'a.test',
      'mailto:a@b.test',
      'http://',
      'http://a b',
      ' http://a.test',
      'http://a.test\n',
      'javascript:alert(1)',
      'http://[::1',
    ],
  },
  uuid: {
    fits: ['123e4567-e89b-12d3-a456-426614174000', '00000000-0000-0000-0000-000000000000', 'ABCDEF00-0000-0000-0000-000000000000'],
    not: ['', '123e4567e89b12d3a456426614174000', '123e4567-e89b-12d3-a456-42661417400g', '{123e4567-e89b-12d3-a456-426614174000}'],
  },
  'json-pointer': { fits: ['', '/', '/a/b', '/a~1b~0', '/ä'], not: ['a', '/a~', '/a~2', '#/a'] },
  'json-pointer-uri-fragment': { fits: ['#', '#/', '#/a%20b', '#/~0'], not: ['', '/a', '#a', '#/a b', '#/%', '#/~2'] },
  'relative-json-pointer': { fits: ['0', '1/a', '10#', '0#', '2/~0'], not: ['', '-1', '01', '01/a', '0##', '1a', '/a', '#'] },
  regex: {
    fits: ['', 'a+', '^[a-z]{2,3}$', '\\d', '(?:a|b)', '\\u0041'],
    not: ['(', '[', '*', 'a{2,1}', '(a)\\1', 'a(?=b)', 'a'.repeat(100_000)],
  },
}

describe.each(Object.entries(cases))('the format %s', (format, { fits, not }) => {
  const faultsOf = createValidator({ format })

  test.each(fits)('takes %j', (text) => {
    expect(faultsOf(text)).toEqual([])
  })

  test.each(not)('refuses %j', (text) => {
    expect(faultsOf(text)).toEqual([{ pointer: '', detail: `must be of the format "${format}"` }])
  })

  test('says nothing of what is no text', () => {
    for (const value of [1, null, true, [], {}]) expect(faultsOf(value)).toEqual([])
  })
})

test.each(['iri', 'idn-email', 'idn-hostname', 'iri-reference', 'binary', 'password', 'toString', '__proto__'])(
  'the format %s is only an annotation',
  (format) => {
    expect(createValidator({ format })('anything at all')).toEqual([])
  },
)
