/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const asyncapi = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - watch:
      call: asyncapi
      with:
        document:
          endpoint: https://events.example.com/asyncapi.json
        channel: orders
        server:
          name: production
          variables:
            region: eu
        protocol: kafka
        subscription:
          filter: \${ .total > 10 }
          consume:
            amount: 5
            for: PT1M
          foreach:
            item: message
            at: position
            do:
              - keep:
                  set:
                    last: \${ $message }
            output:
              as: $message.payload
            export:
              as: $position
        authentication:
          digest: { username: ada, password: "\${ .password }" }
`

describe('call: asyncapi', () => {
  test('with every property is right', () => {
    expect(reportsOf(asyncapi)).toEqual([])
  })

  const cases: readonly Case[] = [
    [
      'channel: orders',
      '',
      '9:7 missing_property /do/0/watch/with: The arguments of an AsyncAPI call need "channel" or "operation". Add one of channel, operation.',
    ],
    [
      'channel: orders',
      'chanel: orders',
      '12:9 unknown_property /do/0/watch/with/chanel: "chanel" is not a property of the arguments of an AsyncAPI call. Did you mean "channel"?',
    ],
    [
      'channel: orders',
      'channel: orders\noperation: read',
      '13:9 conflicting_properties /do/0/watch/with/operation: "operation" cannot stand beside "channel": only one of channel, operation is possible. Remove one of the two.',
    ],
    [
      'channel: orders',
      'channel: 5',
      '12:18 wrong_type /do/0/watch/with/channel: "channel" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'server:',
      'sever:',
      '13:9 unknown_property /do/0/watch/with/sever: "sever" is not a property of the arguments of an AsyncAPI call. Did you mean "server"?',
    ],
    ['name: production', '', '13:9 missing_property /do/0/watch/with/server: An AsyncAPI server needs "name". Add name: to it.'],
    [
      'region: eu',
      '- eu',
      '16:13 wrong_type /do/0/watch/with/server/variables: "variables" has to be an object, but is a list. Write name: value pairs.',
    ],
    [
      'protocol: kafka',
      'protocol: kafak',
      '17:19 invalid_value /do/0/watch/with/protocol: "kafak" is not possible for "protocol". Did you mean "kafka"?',
    ],
    [
      'protocol: kafka',
      'protocol: smtp',
      '17:19 invalid_value /do/0/watch/with/protocol: "smtp" is not possible for "protocol". Write amqp, amqp1, anypointmq, googlepubsub, http, ibmmq, jms, kafka, mercure, mqtt, mqtt5, nats, pulsar, redis, sns, solace, sqs, stomp or ws.',
    ],
    [
      'protocol: kafka',
      'protcol: kafka',
      '17:9 unknown_property /do/0/watch/with/protcol: "protcol" is not a property of the arguments of an AsyncAPI call. Did you mean "protocol"?',
    ],
    [
      'subscription:',
      'subscribe:',
      '9:7 missing_property /do/0/watch/with: The arguments of an AsyncAPI call need "message" or "subscription". Add one of message, subscription.',
      '18:9 unknown_property /do/0/watch/with/subscribe: "subscribe" is not a property of the arguments of an AsyncAPI call. Remove it; possible are document, channel, operation, server, protocol, message, subscription, authentication.',
    ],
    [
      'filter: ${ .total > 10 }',
      'filter: .total > 10',
      '19:19 invalid_value /do/0/watch/with/subscription/filter: "filter" has to be an expression in ${ … }. Write \'${ .total > 10 }\'.',
    ],
    [
      'filter: ${ .total > 10 }',
      'filter: true',
      '19:19 wrong_type /do/0/watch/with/subscription/filter: "filter" has to be a string, but is a boolean. Write \'${ true }\'.',
    ],
    [
      'consume:',
      'consumes:',
      '20:11 unknown_property /do/0/watch/with/subscription/consumes: "consumes" is not a property of an AsyncAPI subscription. Did you mean "consume"?',
    ],
    [
      'amount: 5',
      "amount: '5'",
      '21:21 wrong_type /do/0/watch/with/subscription/consume/amount: "amount" has to be a whole number, but is a string. Write 5 without quotes.',
    ],
    [
      'amount: 5',
      'amount: 1.5',
      '21:21 wrong_type /do/0/watch/with/subscription/consume/amount: "amount" has to be a whole number, but is a number with a fraction. Write a whole number, without quotes.',
    ],
    [
      'amount: 5',
      '',
      '20:11 missing_property /do/0/watch/with/subscription/consume: A consumption policy needs "amount", "while" or "until". Add one of amount, while, until.',
    ],
    [
      'amount: 5',
      'amount: 5\nwhile: ${ .x }',
      '22:13 conflicting_properties /do/0/watch/with/subscription/consume/while: "while" cannot stand beside "amount": only one of amount, while, until is possible. Remove one of the two.',
    ],
    [
      'amount: 5',
      'until: .done',
      '21:20 invalid_value /do/0/watch/with/subscription/consume/until: "until" has to be an expression in ${ … }. Write \'${ .done }\'.',
    ],
    [
      'amount: 5',
      'untill: ${ .done }',
      '21:13 unknown_property /do/0/watch/with/subscription/consume/untill: "untill" is not a property of a consumption policy. Did you mean "until"?',
    ],
    [
      'for: PT1M',
      'for: 1 minute',
      '22:18 invalid_duration /do/0/watch/with/subscription/consume/for: "1 minute" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'for: PT1M',
      'for: { minute: 1 }',
      '22:20 unknown_property /do/0/watch/with/subscription/consume/for/minute: "minute" is not a property of a duration. Did you mean "minutes"?',
    ],
    [
      'item: message',
      'item: $message',
      '24:19 invalid_name /do/0/watch/with/subscription/foreach/item: "$message" cannot be the name of a variable. Write message, without $; expressions then read it as $message.',
    ],
    [
      'item: message',
      'item: the-message',
      '24:19 invalid_name /do/0/watch/with/subscription/foreach/item: "the-message" cannot be the name of a variable. Use letters, digits and underscores, not a digit first.',
      '29:30 undefined_variable /do/0/watch/with/subscription/foreach/do/0/keep/set/last: There is no variable $message here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $position.',
      '31:19 undefined_variable /do/0/watch/with/subscription/foreach/output/as: There is no variable $message here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $position.',
    ],
    [
      'item: message',
      'each: message',
      '24:13 unknown_property /do/0/watch/with/subscription/foreach/each: "each" is not a property of an iterator over events. Remove it; possible are item, at, do, output, export.',
      '29:30 undefined_variable /do/0/watch/with/subscription/foreach/do/0/keep/set/last: There is no variable $message here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $item, $position.',
      '31:19 undefined_variable /do/0/watch/with/subscription/foreach/output/as: There is no variable $message here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $item, $position.',
    ],
    [
      'at: position',
      'at: context',
      '25:17 warning reserved_name /do/0/watch/with/subscription/foreach/at: A variable named "context" hides $context, which the DSL gives to every expression. Choose another name.',
      '33:19 undefined_variable /do/0/watch/with/subscription/foreach/export/as: There is no variable $position here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $output, $message.',
    ],
    [
      'last: ${ $message }',
      'last: ${ $item }',
      '29:30 undefined_variable /do/0/watch/with/subscription/foreach/do/0/keep/set/last: There is no variable $item here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $message, $position.',
    ],
    [
      'as: $message.payload',
      'as: $output',
      '31:19 undefined_variable /do/0/watch/with/subscription/foreach/output/as: There is no variable $output here. Write . (a dot): here the expression is evaluated on the output itself.',
    ],
    [
      'as: $position',
      'as: $pos',
      '33:19 undefined_variable /do/0/watch/with/subscription/foreach/export/as: There is no variable $pos here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $output, $message, $position.',
    ],
    [
      'digest: { username: ada, password: "${ .password }" }',
      'use: login',
      '35:16 unknown_reference /do/0/watch/with/authentication/use: There is no authentication policy named "login" in use.authentications. Define it below use.authentications, or write it here in place of the name.',
    ],
    [
      'digest: { username: ada, password: "${ .password }" }',
      'digest: { username: ada }',
      '35:11 missing_property /do/0/watch/with/authentication/digest: The credentials need "password". Add password: to it.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(asyncapi, line, by), reports)
  })
})

const publish = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - publish:
      call: asyncapi
      with:
        document:
          endpoint: https://events.example.com/asyncapi.json
        operation: placeOrder
        message:
          payload:
            id: \${ .id }
          headers:
            tenant: acme
`

describe('call: asyncapi that publishes', () => {
  test('with every property is right', () => {
    expect(reportsOf(publish)).toEqual([])
  })

  const cases: readonly Case[] = [
    [
      'operation: placeOrder',
      '',
      '9:7 missing_property /do/0/publish/with: The arguments of an AsyncAPI call need "channel" or "operation". Add one of channel, operation.',
    ],
    [
      'operation: placeOrder',
      'operationRef: placeOrder',
      '12:9 unknown_property /do/0/publish/with/operationRef: "operationRef" is not a property of the arguments of an AsyncAPI call. Did you mean "operation"?',
    ],
    [
      'operation: placeOrder',
      'operation: [ a ]',
      '12:20 wrong_type /do/0/publish/with/operation: "operation" has to be a string, but is a list. Write text.',
    ],
    [
      'message:',
      'mesage:',
      '13:9 unknown_property /do/0/publish/with/mesage: "mesage" is not a property of the arguments of an AsyncAPI call. Did you mean "message"?',
    ],
    [
      'message:',
      'event:',
      '9:7 missing_property /do/0/publish/with: The arguments of an AsyncAPI call need "message" or "subscription". Add one of message, subscription.',
      '13:9 unknown_property /do/0/publish/with/event: "event" is not a property of the arguments of an AsyncAPI call. Remove it; possible are document, channel, operation, server, protocol, message, subscription, authentication.',
    ],
    [
      'payload:',
      'paylod:',
      '14:11 unknown_property /do/0/publish/with/message/paylod: "paylod" is not a property of an AsyncAPI message. Did you mean "payload"?',
    ],
    [
      'id: ${ .id }',
      '- ${ .id }',
      '15:13 wrong_type /do/0/publish/with/message/payload: "payload" has to be an object, but is a list. Write name: value pairs.',
    ],
    [
      'tenant: acme',
      '- acme',
      '17:13 wrong_type /do/0/publish/with/message/headers: "headers" has to be an object, but is a list. Write name: value pairs.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(publish, line, by), reports)
  })
})
