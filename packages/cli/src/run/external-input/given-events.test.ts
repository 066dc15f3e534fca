import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createFolder } from '#testing/cli.ts'
import { readEvents } from './given-events.ts'

const terminal = { stdin: new PassThrough().end(), now: () => Date.parse('2026-03-01T12:00:00.500Z'), newId: () => 'id-1' }
const read = (...values: readonly string[]) => readEvents(values, terminal)

describe('an event of the command line', () => {
  test('is complete with a type alone: id, source, time and version are filled in', async () => {
    expect(await read('{"type":"paid"}')).toEqual([
      { specversion: '1.0', id: 'id-1', source: '/millrace/run', time: '2026-03-01T12:00:00.500Z', type: 'paid' },
    ])
  })

  test('stays as it is when it is whole', async () => {
    const whole = {
      specversion: '1.0',
      id: '7',
      source: 'https://shop.example',
      type: 'paid',
      time: '2020-01-01T00:00:00Z',
      subject: 'order 7',
      datacontenttype: 'application/json',
      region: 'eu',
      data: { order: 7, lines: [] },
    }
    expect(await read(JSON.stringify(whole))).toEqual([whole])
  })

  test.each([0, '', false, [], {}])('has any data: %j', async (data) => {
    expect(await read(JSON.stringify({ type: 'paid', data }))).toMatchObject([{ data }])
  })

  test('comes from a file as well, in YAML or JSON, one or many, in the order in which they are given', async () => {
    await using folder = await createFolder({
      'one.yaml': 'type: a\ndata: { n: 1 }\n',
      'many.json': '[{"type":"b"},{"type":"c"}]',
    })
    const events = await read('{"type":"first"}', folder.file('one.yaml'), `@${folder.file('many.json')}`, '[{"type":"last"}]')
    expect(events.map(({ type }) => type)).toEqual(['first', 'a', 'b', 'c', 'last'])
  })

  test('may be large, and there may be many', async () => {
    const data = 'x'.repeat(200_000)
    await using folder = await createFolder({
      'many.json': JSON.stringify(Array.from({ length: 2000 }, (_, n) => ({ type: 'a', data: { n } }))),
    })
    const events = await read(JSON.stringify({ type: 'large', data }), folder.file('many.json'))
    expect(events[0]).toMatchObject({ data })
    expect(events).toHaveLength(2001)
    expect(events[2000]).toMatchObject({ data: { n: 1999 } })
  })

  test('an event needs a type and may have only attributes of events', async () => {
    await expect(read('{"data":{"order":7}}')).rejects.toThrow(
      '--event {"data":{"order":7}}: the attribute "type" of the event is required.',
    )
    await expect(read('{"type":7}')).rejects.toThrow('the attribute "type" of the event must be text')
    await expect(read('{"type":"a","time":"yesterday"}')).rejects.toThrow(/"time"/)
    await expect(read('[{"type":"a"},"b"]')).rejects.toThrow('entry 1 is not an event: an event is an object.')
  })

  test('that is no JSON is refused with what is wrong, and how to write one', async () => {
    await expect(read('{"type":')).rejects.toMatchObject({
      message: expect.stringMatching(/^--event \{"type":: this is not JSON: /),
      hint: expect.stringContaining('--event \'{"type":"com.example.paid"'),
      exitCode: 2,
    })
  })

  test('out of a file that cannot be read as data is refused with the line', async () => {
    await using folder = await createFolder({
      'bad.json': '[{"type":"a"},\n {"type":}]',
      'lines.jsonl': '{"type":"a"}\n{"type":"b"}\n',
      'empty.yaml': '',
    })
    await expect(read(folder.file('bad.json'))).rejects.toThrow(/bad\.json:2:\d+: /)
    await expect(read(folder.file('lines.jsonl'))).rejects.toMatchObject({
      message: expect.stringContaining('lines.jsonl: the file has one document a line.'),
      hint: expect.stringMatching(/^Write --events - < .*lines\.jsonl/),
    })
    await expect(read(folder.file('empty.yaml'))).rejects.toThrow('is empty')
    await expect(read(folder.file('none.yaml'))).rejects.toThrow('there is no such file; an event was to be read from it')
  })

  test('is not read from standard input, which --events is for', async () => {
    await expect(read('-')).rejects.toMatchObject({ hint: 'Use --events - for events one a line.' })
  })
})
