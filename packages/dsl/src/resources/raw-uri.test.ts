import { describe, expect, test } from 'vitest'
import { catalogedFunctionUri } from './cataloged-function-uri.ts'
import { rawUri } from './raw-uri.ts'

describe('pages of Git hosts', () => {
  test.each([
    ['https://github.com/o/r/tree/main', 'https://raw.githubusercontent.com/o/r/refs/heads/main'],
    ['https://github.com/o/r/tree/main/sub/dir/', 'https://raw.githubusercontent.com/o/r/refs/heads/main/sub/dir'],
    ['https://github.com/o/r/blob/main/schema.json?plain=1#L3', 'https://raw.githubusercontent.com/o/r/refs/heads/main/schema.json'],
    ['https://www.github.com/o/r/blob/main/a.json', 'https://raw.githubusercontent.com/o/r/refs/heads/main/a.json'],
    ['https://GitHub.com/o/r/blob/main/a.json', 'https://raw.githubusercontent.com/o/r/refs/heads/main/a.json'],
    ['https://github.com/o/r/tree/v1.2.0', 'https://raw.githubusercontent.com/o/r/v1.2.0'],
    ['https://github.com/o/r/tree/1.x', 'https://raw.githubusercontent.com/o/r/1.x'],
    ['https://github.com/o/r/tree/v2.0.0-beta.1', 'https://raw.githubusercontent.com/o/r/v2.0.0-beta.1'],
    [`https://github.com/o/r/tree/${'a1'.repeat(20)}`, `https://raw.githubusercontent.com/o/r/${'a1'.repeat(20)}`],
    ['https://github.com/o/r/tree/refs/tags/stable/x', 'https://raw.githubusercontent.com/o/r/refs/tags/stable/x'],
    ['https://github.com/o/r', 'https://raw.githubusercontent.com/o/r/HEAD'],
    ['https://github.com/o/r.git', 'https://raw.githubusercontent.com/o/r/HEAD'],
    ['https://gitlab.com/group/sub/project/-/tree/main/dir', 'https://gitlab.com/group/sub/project/-/raw/main/dir'],
    ['https://gitlab.com/g/p/-/blob/main/a.yaml?ref_type=heads', 'https://gitlab.com/g/p/-/raw/main/a.yaml'],
    ['https://git.example.com:8443/g/p/-/tree/main', 'https://git.example.com:8443/g/p/-/raw/main'],
    ['https://gitlab.com/g/p', 'https://gitlab.com/g/p/-/raw/HEAD'],
    ['https://gitlab.com/g/p.git', 'https://gitlab.com/g/p/-/raw/HEAD'],
  ])('%s is at %s', (page, raw) => {
    expect(rawUri(page)).toBe(raw)
  })

  test.each([
    'https://example.com/o/r/tree/main',
    'https://example.com/g/p/-/raw/main/a.yaml',
    'https://example.com/g/-/tree',
    'https://example.com/g/p',
    'https://raw.githubusercontent.com/o/r/main/a.yaml',
    'https://github.com/o',
    'https://github.com/o/r/tree',
    'https://github.com/o/r/issues/1',
    'https://github.com.evil.example/o/r/tree/main',
    'https://user@github.com/o/r/tree/main',
    'http://github.com/o/r/tree/main',
    'https://gitlab.com/a/b/c',
    'file:///etc/passwd',
    'nonsense',
    '',
  ])('%s is left as it is', (uri) => {
    expect(rawUri(uri)).toBe(uri)
  })
})

describe('the function of a catalog', () => {
  test.each([
    [
      'https://github.com/serverlessworkflow/catalog/tree/main',
      'https://raw.githubusercontent.com/serverlessworkflow/catalog/refs/heads/main',
    ],
    ['https://github.com/serverlessworkflow/catalog', 'https://raw.githubusercontent.com/serverlessworkflow/catalog/HEAD'],
    ['https://gitlab.com/g/p/-/tree/main/catalog/', 'https://gitlab.com/g/p/-/raw/main/catalog'],
    ['https://example.com', 'https://example.com'],
    ['https://example.com/catalog//', 'https://example.com/catalog'],
  ])('the functions of %s are below %s', (root, base) => {
    expect(catalogedFunctionUri(root, 'log', '1.0.0')).toBe(`${base}/functions/log/1.0.0/function.yaml`)
  })

  test('keeps what the root asks with, and drops a fragment', () => {
    expect(catalogedFunctionUri('https://example.com/c?key=1&b=2#top', 'log', '1.0.0')).toBe(
      'https://example.com/c/functions/log/1.0.0/function.yaml?key=1&b=2',
    )
  })

  test('cannot leave its place by its name', () => {
    expect(catalogedFunctionUri('https://example.com/c', 'a/../b?', '1#')).toBe(
      'https://example.com/c/functions/a%2F..%2Fb%3F/1%23/function.yaml',
    )
  })
})
