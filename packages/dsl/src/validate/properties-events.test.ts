/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const emit = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - announce:
      emit:
        event:
          with:
            id: \${ .id }
            source: https://shop.example.com
            type: com.example.order.placed
            time: '2026-01-31T12:00:00Z'
            subject: order/1
            datacontenttype: application/json
            dataschema: https://schemas.example.com/order.json
            data:
              total: \${ .total }
            tenant: acme
`

describe('emit', () => {
  test('with every property is right', () => {
    expect(reportsOf(emit)).toEqual([])
  })

  const cases: readonly Case[] = [
    ['emit:', 'emits:', '8:7 invalid_task /do/0/announce/emits: "emits" is not something that a task can do. Did you mean "emit"?'],
    ['event:', 'evnt:', '9:9 unknown_property /do/0/announce/emit/evnt: "evnt" is not a property of what to emit. Did you mean "event"?'],
    [
      'event:',
      'events:',
      '9:9 unknown_property /do/0/announce/emit/events: "events" is not a property of what to emit. Did you mean "event"?',
    ],
    [
      'with:',
      'attributes:',
      '9:9 missing_property /do/0/announce/emit/event: The event to emit needs "with". Add with: to it.',
      '10:11 unknown_property /do/0/announce/emit/event/attributes: "attributes" is not a property of the event to emit. Remove it; possible are with.',
    ],
    [
      'id: ${ .id }',
      'id: 5',
      '11:17 wrong_type /do/0/announce/emit/event/with/id: "id" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'id: ${ .id }',
      'id: ${ .id',
      '11:17 warning embedded_expression /do/0/announce/emit/event/with/id: The expression inside this text is not evaluated: only a string that is wholly ${ … } is. Make the whole string one expression, with \\( … ) inside of the text: ${ "Hello \\(.name)" }.',
    ],
    [
      'source: https://shop.example.com',
      '',
      '10:11 missing_property /do/0/announce/emit/event/with: An event needs "source". Add source: to it.',
    ],
    [
      'source: https://shop.example.com',
      'source: shop',
      '12:21 invalid_uri /do/0/announce/emit/event/with/source: "shop" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.',
    ],
    [
      'source: https://shop.example.com',
      'sorce: https://shop.example.com',
      '10:11 missing_property /do/0/announce/emit/event/with: An event needs "source". Add source: to it.',
    ],
    [
      'source: https://shop.example.com',
      'source: ${ $shop }',
      '12:24 undefined_variable /do/0/announce/emit/event/with/source: There is no variable $shop here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
    [
      'type: com.example.order.placed',
      '',
      '10:11 missing_property /do/0/announce/emit/event/with: An event needs "type". Add type: to it.',
    ],
    [
      'type: com.example.order.placed',
      'type: 1',
      '13:19 wrong_type /do/0/announce/emit/event/with/type: "type" has to be a string, but is a number. Put it in quotes: "1".',
    ],
    [
      "time: '2026-01-31T12:00:00Z'",
      'time: 2026-01-31',
      '14:19 invalid_timestamp /do/0/announce/emit/event/with/time: "2026-01-31" is not a timestamp. Write it as RFC 3339 has it, for example 2026-01-31T12:00:00Z.',
    ],
    [
      "time: '2026-01-31T12:00:00Z'",
      'time: 2026-02-30T12:00:00Z',
      '14:19 invalid_timestamp /do/0/announce/emit/event/with/time: "2026-02-30T12:00:00Z" is not a timestamp. Write it as RFC 3339 has it, for example 2026-01-31T12:00:00Z.',
    ],
    [
      "time: '2026-01-31T12:00:00Z'",
      'time: 1769860800',
      '14:19 wrong_type /do/0/announce/emit/event/with/time: "time" has to be a string, but is a number. Put it in quotes: "1769860800".',
    ],
    [
      'subject: order/1',
      'subject: 1',
      '15:22 wrong_type /do/0/announce/emit/event/with/subject: "subject" has to be a string, but is a number. Put it in quotes: "1".',
    ],
    [
      'subject: order/1',
      'subject: order/${ .id }',
      '15:22 warning embedded_expression /do/0/announce/emit/event/with/subject: The expression inside this text is not evaluated: only a string that is wholly ${ … } is. Write ${ "order/\\(.id)" }.',
    ],
    [
      'datacontenttype: application/json',
      'datacontenttype: {}',
      '16:30 wrong_type /do/0/announce/emit/event/with/datacontenttype: "datacontenttype" has to be a string, but is an object. Write text.',
    ],
    [
      'dataschema: https://schemas.example.com/order.json',
      'dataschema: order.json',
      '17:25 invalid_uri /do/0/announce/emit/event/with/dataschema: "order.json" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.',
    ],
    [
      'total: ${ .total }',
      'total: ${ .total | foo }',
      '19:34 invalid_expression /do/0/announce/emit/event/with/data/total: The expression cannot be read: foo/0 is not defined. Write .foo for a property of the data, "foo" for text, or check the name and the arguments of the function.',
    ],
    [
      'tenant: acme',
      'tenant: ${ $tenant }',
      '20:24 undefined_variable /do/0/announce/emit/event/with/tenant: There is no variable $tenant here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(emit, line, by), reports)
  })
})

const listen = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - gather:
      listen:
        to:
          any:
            - with:
                type: com.example.offer
              correlate:
                order:
                  from: .data.orderId
                  expect: \${ .order.id }
          until:
            one:
              with:
                type: com.example.closed
        read: envelope
      foreach:
        item: offer
        at: number
        do:
          - note:
              set: { offer: '\${ $offer.data }' }
        output:
          as: $offer.data
        export:
          as: '$context + { count: $number }'
`

describe('listen', () => {
  test('with every property is right', () => {
    expect(reportsOf(listen)).toEqual([])
  })

  const cases: readonly Case[] = [
    ['listen:', 'listne:', '8:7 invalid_task /do/0/gather/listne: "listne" is not something that a task can do. Did you mean "listen"?'],
    ['to:', 'two:', '9:9 unknown_property /do/0/gather/listen/two: "two" is not a property of a listener. Did you mean "to"?'],
    [
      'to:',
      'events:',
      '8:7 missing_property /do/0/gather/listen: A listener needs "to". Add to: to it.',
      '9:9 unknown_property /do/0/gather/listen/events: "events" is not a property of a listener. Remove it; possible are to, read.',
    ],
    [
      'any:',
      'some:',
      '9:9 missing_property /do/0/gather/listen/to: An event consumption strategy needs "all", "any" or "one". Add one of all, any, one.',
      '10:11 unknown_property /do/0/gather/listen/to/some: "some" is not a property of an event consumption strategy. Remove it; possible are all, any, one, until.',
      '17:11 unknown_property /do/0/gather/listen/to/until: "until" goes with "any" only. Remove it, or listen to any.',
    ],
    [
      'any:',
      'one:',
      '11:13 wrong_type /do/0/gather/listen/to/one: "one" has to be an event filter, an object, but is a list. Write an object with with.',
      '17:11 unknown_property /do/0/gather/listen/to/until: "until" goes with "any" only. Remove it, or listen to any.',
    ],
    ['any:', 'all:', '17:11 unknown_property /do/0/gather/listen/to/until: "until" goes with "any" only. Remove it, or listen to any.'],
    [
      'type: com.example.offer',
      'type: 5',
      '12:23 wrong_type /do/0/gather/listen/to/any/0/with/type: "type" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'type: com.example.offer',
      'type: ${ .type | }',
      '12:32 invalid_expression /do/0/gather/listen/to/any/0/with/type: The expression cannot be read: syntax error, unexpected end of file. Write a jq expression, for example .order.total > 10; see docs/dsl.md.',
    ],
    [
      'type: com.example.offer',
      '',
      '11:20 wrong_type /do/0/gather/listen/to/any/0/with: "with" has to be the attributes of an event filter, an object, but is empty (null). Write an object with id, source, type, time, subject, datacontenttype.',
    ],
    [
      'correlate:',
      'corelate:',
      '13:15 unknown_property /do/0/gather/listen/to/any/0/corelate: "corelate" is not a property of an event filter. Did you mean "correlate"?',
    ],
    [
      'from: .data.orderId',
      '',
      '14:17 missing_property /do/0/gather/listen/to/any/0/correlate/order: A correlation needs "from". Add from: to it.',
    ],
    [
      'from: .data.orderId',
      'from: 5',
      '15:25 wrong_type /do/0/gather/listen/to/any/0/correlate/order/from: "from" has to be an expression, a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'from: .data.orderId',
      'form: .data.orderId',
      '15:19 unknown_property /do/0/gather/listen/to/any/0/correlate/order/form: "form" is not a property of a correlation. Did you mean "from"?',
    ],
    [
      'from: .data.orderId',
      'from: $order',
      '15:25 undefined_variable /do/0/gather/listen/to/any/0/correlate/order/from: There is no variable $order here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
    [
      'expect: ${ .order.id }',
      'expect: 5',
      '16:27 wrong_type /do/0/gather/listen/to/any/0/correlate/order/expect: "expect" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'expect: ${ .order.id }',
      'expects: a',
      '16:19 unknown_property /do/0/gather/listen/to/any/0/correlate/order/expects: "expects" is not a property of a correlation. Did you mean "expect"?',
    ],
    [
      'until:',
      'untill:',
      '17:11 unknown_property /do/0/gather/listen/to/untill: "untill" is not a property of an event consumption strategy. Did you mean "until"?',
    ],
    [
      'until:',
      'while:',
      '17:11 unknown_property /do/0/gather/listen/to/while: "while" is not a property of an event consumption strategy. Remove it; possible are all, any, one, until.',
    ],
    [
      'one:',
      'on:',
      '18:13 unknown_property /do/0/gather/listen/to/until/on: "on" is not a property of an event consumption strategy. Did you mean "one"?',
    ],
    [
      'type: com.example.closed',
      '',
      '19:20 wrong_type /do/0/gather/listen/to/until/one/with: "with" has to be the attributes of an event filter, an object, but is empty (null). Write an object with id, source, type, time, subject, datacontenttype.',
    ],
    [
      'read: envelope',
      'read: envelop',
      '21:15 invalid_value /do/0/gather/listen/read: "envelop" is not possible for "read". Did you mean "envelope"?',
    ],
    [
      'read: envelope',
      'read: body',
      '21:15 invalid_value /do/0/gather/listen/read: "body" is not possible for "read". Write data, envelope or raw.',
    ],
    [
      'read: envelope',
      'raed: envelope',
      '21:9 unknown_property /do/0/gather/listen/raed: "raed" is not a property of a listener. Did you mean "read"?',
    ],
    [
      'read: envelope',
      'read: true',
      '21:15 wrong_type /do/0/gather/listen/read: "read" has to be a string, but is a boolean. Put it in quotes: "true".',
    ],
    [
      'foreach:',
      'forEach:',
      '22:7 unknown_property /do/0/gather/forEach: "forEach" is not a property of a listen task. Did you mean "foreach"?',
    ],
    [
      'foreach:',
      'for:',
      '8:7 invalid_task /do/0/gather/listen: A task does one thing, and this has both "for" and "listen". Make two tasks of it.',
    ],
    [
      'item: offer',
      'items: offer',
      '23:9 unknown_property /do/0/gather/foreach/items: "items" is not a property of an iterator over events. Did you mean "item"?',
      '27:33 undefined_variable /do/0/gather/foreach/do/0/note/set/offer: There is no variable $offer here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $item, $number.',
      '29:15 undefined_variable /do/0/gather/foreach/output/as: There is no variable $offer here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $item, $number.',
    ],
    [
      'item: offer',
      "item: ''",
      '23:15 invalid_name /do/0/gather/foreach/item: "" cannot be the name of a variable. Use letters, digits and underscores, not a digit first.',
      '27:33 undefined_variable /do/0/gather/foreach/do/0/note/set/offer: There is no variable $offer here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $number.',
      '29:15 undefined_variable /do/0/gather/foreach/output/as: There is no variable $offer here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $number.',
    ],
    [
      'at: number',
      'at: 2',
      '24:13 wrong_type /do/0/gather/foreach/at: "at" has to be a string, but is a number. Put it in quotes: "2".',
      '31:36 undefined_variable /do/0/gather/foreach/export/as: There is no variable $number here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $output, $offer, $index.',
    ],
    [
      'at: number',
      'index: number',
      '24:9 unknown_property /do/0/gather/foreach/index: "index" is not a property of an iterator over events. Remove it; possible are item, at, do, output, export.',
      '31:36 undefined_variable /do/0/gather/foreach/export/as: There is no variable $number here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $output, $offer, $index.',
    ],
    [
      'as: $offer.data',
      'as: $offer.data + $n',
      '29:29 undefined_variable /do/0/gather/foreach/output/as: There is no variable $n here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $offer, $number.',
    ],
    [
      "as: '$context + { count: $number }'",
      "as: '$context + { count: $number'",
      "31:36 invalid_expression /do/0/gather/foreach/export/as: The expression cannot be read: syntax error, unexpected end of file, expecting '}'. Write a jq expression, for example .order.total > 10; see docs/dsl.md.",
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(listen, line, by), reports)
  })
})
