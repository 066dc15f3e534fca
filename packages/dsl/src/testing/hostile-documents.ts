/** Texts that are made to be slow to read, by name; each is about as long as it is asked to be, and most are refused. */
export const hostileDocuments: Readonly<Record<string, (length: number) => string>> = {
  'many tags of one value': (length) => fill(length, 'a: ', '!!str '),
  'many anchors of one value': (length) => fill(length, 'a: ', '&a '),
  'nested entries': (length) => fill(length, '', '- '),
  'nested keys': (length) => fill(length, '', '? '),
  'nested values': (length) => fill(length, '', ': '),
  'nested objects in flow style': (length) => fill(length, '', '{a: '),
  'nested lists in flow style': (length) => fill(length, '', '['),
  'keys in one line': (length) => fill(length, 'x: ', 'a: '),
  'expressions in one line': (length) => fill(length, 'a: ', ': ${ '),
  'empty comments': (length) => fill(length, '', '#\n'),
  'blank lines': (length) => fill(length, 'a: 1', '\n'),
  'blank lines, then indented comments': (length) => `- |\n  x\n${'\n'.repeat(length / 3)}${' #\n'.repeat(length / 5)}`,
  'comments between keys': (length) => fill(length, '', 'a: 1 # x\n# y\n\n'),
  'small blocks of text': (length) => fill(length, '', '- |\n  a\n'),
  'a long block of text': (length) => fill(length, 'a: |\n', '  abc def\n'),
  'a long folded block': (length) => fill(length, 'a: >\n', '  abc def\n\n'),
  'many documents': (length) => fill(length, '', '---\n'),
  'many ends of documents': (length) => fill(length, '', '...\n'),
  'tabs in a line': (length) => fill(length, 'a:', '\t'),
  'tabs as indentation': (length) => fill(length, '', '\ta: 1\n'),
  'plain text with colons': (length) => fill(length, 'x: ', 'a:b:'),
  'plain text over many lines': (length) => fill(length, 'a:\n', '  abc\n'),
  'directives of tags': (length) => fill(length, '', '%TAG !e! tag:x,2000:\n', '--- a'),
  'directives of versions': (length) => fill(length, '', '%YAML 1.2\n', '--- a'),
  'aliases of a large value': (length) => fill(length, `x: &a [${'1,'.repeat(500)}1]\ny: [`, '*a, ', ']'),
  'aliases of a long text': (length) => fill(length, `x: &a ${'x'.repeat(length / 4)}\ny: [`, '*a, ', ']'),
  'merge keys': (length) => numbered(length, 'x: &a { b: 1 }\n', (index) => `k${index}: { <<: *a }\n`),
  'a key without an end': (length) => fill(length, '', 'k', ': 1'),
  'a long explicit key': (length) => fill(length, '? ', 'k', '\n: 1'),
  'many long keys': (length) => numbered(length, '', (index) => `? ${'k'.repeat(1100)}${index}\n: 1\n`),
  'long keys above many values': (length) => numbered(length, longPath(), (index) => `${' '.repeat(100)}a${index}: 1\n`),
  'one key many times': (length) => fill(length, '', 'a: 1\n'),
  'one key many times, with CRLF': (length) => fill(length, '', 'a: 1\r\n'),
  'carriage returns': (length) => fill(length, 'a: 1', '\r'),
  'many keys': (length) => numbered(length, '', (index) => `k${index}: 1\n`),
  'escapes in quotes': (length) => fill(length, 'a: "', '\\"\\n', '"'),
  'backslashes in quotes': (length) => fill(length, 'a: "', '\\', '"'),
  'a quoted text over many lines': (length) => fill(length, 'a: "', '  abc\n', '"'),
  'spaces in quotes': (length) => fill(length, 'a: "', ' ', 'x"'),
  'a quote that is not closed': (length) => fill(length, 'a: "', 'x'),
  'quotes that are not closed': (length) => fill(length, '', '- "a\n'),
  'single quotes': (length) => fill(length, '', "'"),
  'double quotes': (length) => fill(length, '', '"'),
  'closing brackets': (length) => fill(length, '', ']'),
  commas: (length) => fill(length, '[', ','),
  'question marks in a list': (length) => fill(length, '[', '? '),
  'colons in a list': (length) => fill(length, '[', ': '),
  'pairs without keys in a list': (length) => fill(length, '[', ': a, '),
  'a key that is a large list, in lists': (length) => `${'['.repeat(150)}${fill(length - 600, '', '1,')}1${']: a'.repeat(150)}`,
  'entries of a list': (length) => fill(length, '', '- a\n'),
  'a list in flow style': (length) => fill(length, 'x: [', 'ab, ', '1]'),
  'headers of blocks': (length) => fill(length, '', '|\n'),
  'a number without an end': (length) => fill(length, 'a: ', '1'),
  'exclamation marks': (length) => fill(length, '', '!'),
  'objects of JSON': (length) => fill(length, '[', '{"a":1},', '{}]'),
  'escapes of JSON': (length) => fill(length, '[', '"\\u0041",', '1]'),
  'one key of JSON many times': (length) => fill(length, '{', '"a":1,', '"a":1}'),
  'JSON that is broken at its end': (length) => fill(length, '[', '"a",', 'x'),
  'an open string of JSON': (length) => fill(length, '["', 'x'),
  'a long number of JSON': (length) => fill(length, '[', '1', ']'),
}

function fill(length: number, head: string, unit: string, tail = ''): string {
  return head + unit.repeat(Math.floor((length - head.length - tail.length) / unit.length)) + tail
}

function numbered(length: number, head: string, line: (index: number) => string): string {
  const lines = [head]
  let total = head.length
  for (let index = 0; total < length; index++) {
    const next = line(index)
    lines.push(next)
    total += next.length
  }
  return lines.join('')
}

/** Objects within objects, a hundred levels deep, each under a key of a thousand letters. */
function longPath(): string {
  return Array.from({ length: 100 }, (_, level) => `${' '.repeat(level)}${'k'.repeat(1000)}:\n`).join('')
}
