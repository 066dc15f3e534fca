import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createLineReader } from './line-reader.ts'
import { readEventLines } from './read-event-lines.ts'

const never = new AbortController().signal

describe('lines of standard input', () => {
  test('lines are read in order, whatever their chunks, also an unterminated last one', async () => {
    const stdin = new PassThrough()
    const lines = createLineReader(stdin)
    const first = lines.next(never)
    stdin.write('o')
    stdin.write('ne\ntwo\r\n\nfo')
    expect([await first, await lines.next(never), await lines.next(never)]).toEqual(['one', 'two', ''])
    stdin.end('ur')
    expect([await lines.next(never), await lines.next(never), await lines.next(never)]).toEqual(['four', undefined, undefined])
  })

  test('a line may be long', async () => {
    const long = 'x'.repeat(3_000_000)
    const lines = createLineReader(new PassThrough().end(`${long}\nshort\n`))
    expect((await lines.next(never))?.length).toBe(long.length)
    expect(await lines.next(never)).toBe('short')
  })

  test('only a line feed ends a line, since JSON has other ends of lines inside of texts', async () => {
    const text = '{"a":"b\u2028c\u2029d"}'
    const lines = createLineReader(new PassThrough().end(`${text}\r\n${text}`))
    expect([await lines.next(never), await lines.next(never), await lines.next(never)]).toEqual([text, text, undefined])
  })

  test('lines of an aborted read are returned by the next one', async () => {
    const stdin = new PassThrough()
    const lines = createLineReader(stdin)
    const given = new AbortController()
    const aborted = lines.next(given.signal)
    given.abort()
    await expect(aborted).rejects.toThrow('aborted')
    await expect(lines.next(given.signal)).rejects.toThrow('aborted')
    stdin.write('late\n')
    expect(await lines.next(never)).toBe('late')
  })

  test('a closed reader has no more lines', async () => {
    const lines = createLineReader(new PassThrough())
    const waiting = lines.next(never)
    lines.close()
    expect(await waiting).toBe(undefined)
  })

  test('an input that fails, such as a closed terminal, has no more lines', async () => {
    const stdin = new PassThrough()
    const lines = createLineReader(stdin)
    const waiting = lines.next(never)
    stdin.destroy(new Error('EIO'))
    expect(await waiting).toBe(undefined)
  })
})

describe('events, one a line', () => {
  async function read(text: string) {
    const published: unknown[] = []
    const refused: [number, string][] = []
    await readEventLines(createLineReader(new PassThrough().end(text)), never, {
      terminal: { now: () => 0, newId: () => 'id-1' },
      publish: ({ type, data }) => published.push(data === undefined ? type : [type, data]),
      refused: (line, why) => refused.push([line, why]),
    })
    return { published, refused }
  }

  test('event lines are published in order to the end of the input', async () => {
    const text = Array.from({ length: 5000 }, (_, n) => `{"type":"t${n}"}`).join('\n')
    expect((await read(text)).published).toEqual(Array.from({ length: 5000 }, (_, n) => `t${n}`))
  })

  test('event lines may begin with a byte order mark', async () => {
    expect(await read('\uFEFF{"type":"a"}\n')).toEqual({ published: ['a'], refused: [] })
  })

  test('invalid lines are refused with their number, and the others are published', async () => {
    const { published, refused } = await read('{"type":"a"}\n\nnonsense\n{"data":1}\n[{"type":"b"}]\n7\n{"type":"c","data":{"d":1}}')
    expect(published).toEqual(['a', ['c', { d: 1 }]])
    expect(refused).toEqual([
      [3, expect.stringContaining('not JSON: ')],
      [4, 'the attribute "type" of the event is required'],
      [5, 'an event is an object'],
      [6, 'an event is an object'],
    ])
  })
})
