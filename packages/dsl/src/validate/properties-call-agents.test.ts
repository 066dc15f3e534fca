/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const agent = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - ask:
      call: a2a
      with:
        method: message/send
        agentCard:
          name: helper
          endpoint: https://agents.example.com/card.json
        server: https://agents.example.com
        parameters:
          message: \${ .question }
`

describe('call: a2a', () => {
  test('with every property is right', () => {
    expect(reportsOf(agent)).toEqual([])
  })

  const cases: readonly Case[] = [
    ['method: message/send', '', '9:7 missing_property /do/0/ask/with: The arguments of an A2A call need "method". Add method: to it.'],
    [
      'method: message/send',
      'method: message/sent',
      '10:17 invalid_value /do/0/ask/with/method: "message/sent" is not possible for "method". Did you mean "message/send"?',
    ],
    [
      'method: message/send',
      'method: send',
      '10:17 invalid_value /do/0/ask/with/method: "send" is not possible for "method". Write message/send, message/stream, tasks/get, tasks/list, tasks/cancel, tasks/resubscribe, tasks/pushNotificationConfig/set, tasks/pushNotificationConfig/get, tasks/pushNotificationConfig/list, tasks/pushNotificationConfig/delete or agent/getAuthenticatedExtendedCard.',
    ],
    [
      'method: message/send',
      'method: 1',
      '10:17 wrong_type /do/0/ask/with/method: "method" has to be a string, but is a number. Put it in quotes: "1".',
    ],
    [
      'agentCard:',
      'agentcard:',
      '11:9 unknown_property /do/0/ask/with/agentcard: "agentcard" is not a property of the arguments of an A2A call. Did you mean "agentCard"?',
    ],
    [
      'agentCard:',
      'card:',
      '11:9 unknown_property /do/0/ask/with/card: "card" is not a property of the arguments of an A2A call. Remove it; possible are method, agentCard, server, parameters.',
    ],
    [
      'name: helper',
      'name: [ helper ]',
      '12:17 wrong_type /do/0/ask/with/agentCard/name: "name" has to be a string, but is a list. Write text.',
    ],
    [
      'endpoint: https://agents.example.com/card.json',
      'endpoint: agents.example.com',
      '13:21 invalid_uri /do/0/ask/with/agentCard/endpoint: "agents.example.com" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.',
    ],
    [
      'server: https://agents.example.com',
      'server: agents.example.com',
      '14:17 invalid_uri /do/0/ask/with/server: "agents.example.com" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.',
    ],
    [
      'server: https://agents.example.com',
      'server: 8080',
      '14:17 wrong_type /do/0/ask/with/server: "server" has to be a URI, an expression that gives one, or an endpoint object, but is a number. Write a URI, an expression that gives one, or an endpoint object.',
    ],
    [
      'server: https://agents.example.com',
      'sevrer: https://a.b',
      '14:9 unknown_property /do/0/ask/with/sevrer: "sevrer" is not a property of the arguments of an A2A call. Did you mean "server"?',
    ],
    [
      'parameters:',
      'parameter:',
      '15:9 unknown_property /do/0/ask/with/parameter: "parameter" is not a property of the arguments of an A2A call. Did you mean "parameters"?',
    ],
    [
      'message: ${ .question }',
      '- ${ .question }',
      '16:11 wrong_type /do/0/ask/with/parameters: "parameters" has to be the parameters, or an expression that gives them, but is a list. Write the parameters, or an expression that gives them.',
    ],
    [
      'message: ${ .question }',
      '',
      '15:20 wrong_type /do/0/ask/with/parameters: "parameters" has to be the parameters, or an expression that gives them, but is empty (null). Write the parameters, or an expression that gives them.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(agent, line, by), reports)
  })
})

const mcp = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - useTool:
      call: mcp
      with:
        protocolVersion: '2025-06-18'
        method: tools/call
        parameters:
          name: search
        timeout: PT30S
        transport:
          http:
            endpoint: https://tools.example.com/mcp
            headers:
              x-tenant: acme
          options:
            retries: '3'
        client:
          name: millrace
          version: 2.4.1
`

describe('call: mcp', () => {
  test('with every property is right', () => {
    expect(reportsOf(mcp)).toEqual([])
  })

  const cases: readonly Case[] = [
    [
      "protocolVersion: '2025-06-18'",
      'protocolVersion: 2025',
      '10:26 wrong_type /do/0/useTool/with/protocolVersion: "protocolVersion" has to be a string, but is a number. Put it in quotes: "2025".',
    ],
    [
      "protocolVersion: '2025-06-18'",
      "protocoIVersion: '2025-06-18'",
      '10:9 unknown_property /do/0/useTool/with/protocoIVersion: "protocoIVersion" is not a property of the arguments of an MCP call. Did you mean "protocolVersion"?',
    ],
    [
      'method: tools/call',
      'method: tools/cal',
      '11:17 invalid_value /do/0/useTool/with/method: "tools/cal" is not possible for "method". Did you mean "tools/call"?',
    ],
    ['method: tools/call', '', '9:7 missing_property /do/0/useTool/with: The arguments of an MCP call need "method". Add method: to it.'],
    [
      'parameters:',
      'arguments:',
      '12:9 unknown_property /do/0/useTool/with/arguments: "arguments" is not a property of the arguments of an MCP call. Remove it; possible are protocolVersion, method, parameters, timeout, transport, client.',
    ],
    [
      'timeout: PT30S',
      'timeout: 30s',
      '14:18 invalid_duration /do/0/useTool/with/timeout: "30s" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'timeout: PT30S',
      'timeout: { after: PT30S }',
      '14:20 unknown_property /do/0/useTool/with/timeout/after: "after" is not a property of a duration. Remove it; possible are days, hours, minutes, seconds, milliseconds.',
    ],
    [
      'timeout: PT30S',
      'timeout: 30',
      '14:18 wrong_type /do/0/useTool/with/timeout: "timeout" has to be a duration, but is a number. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'transport:',
      'transports:',
      '15:9 unknown_property /do/0/useTool/with/transports: "transports" is not a property of the arguments of an MCP call. Did you mean "transport"?',
    ],
    [
      'http:',
      'https:',
      '16:11 unknown_property /do/0/useTool/with/transport/https: "https" is not a property of an MCP transport. Did you mean "http"?',
    ],
    [
      'http:',
      'stdio:',
      '16:11 missing_property /do/0/useTool/with/transport/stdio: An MCP transport over stdio needs "command". Add command: to it.',
      '17:13 unknown_property /do/0/useTool/with/transport/stdio/endpoint: "endpoint" is not a property of an MCP transport over stdio. Remove it; possible are command, arguments, environment.',
      '18:13 unknown_property /do/0/useTool/with/transport/stdio/headers: "headers" is not a property of an MCP transport over stdio. Remove it; possible are command, arguments, environment.',
    ],
    [
      'endpoint: https://tools.example.com/mcp',
      '',
      '16:11 missing_property /do/0/useTool/with/transport/http: An MCP transport over HTTP needs "endpoint". Add endpoint: to it.',
    ],
    [
      'x-tenant: acme',
      'x-tenant: 5',
      '19:25 wrong_type /do/0/useTool/with/transport/http/headers/x-tenant: "x-tenant" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      "retries: '3'",
      'retries: 3',
      '21:22 wrong_type /do/0/useTool/with/transport/options/retries: "retries" has to be a string, but is a number. Put it in quotes: "3".',
    ],
    [
      'client:',
      'clinet:',
      '22:9 unknown_property /do/0/useTool/with/clinet: "clinet" is not a property of the arguments of an MCP call. Did you mean "client"?',
    ],
    ['name: millrace', '', '22:9 missing_property /do/0/useTool/with/client: An MCP client needs "name". Add name: to it.'],
    ['version: 2.4.1', '', '22:9 missing_property /do/0/useTool/with/client: An MCP client needs "version". Add version: to it.'],
    [
      'version: 2.4.1',
      'version: 2.4',
      '24:20 wrong_type /do/0/useTool/with/client/version: "version" has to be a string, but is a number with a fraction. Put it in quotes: "2.4".',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(mcp, line, by), reports)
  })
})

const stdio = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - useTool:
      call: mcp
      with:
        method: tools/list
        transport:
          stdio:
            command: npx
            arguments:
              - some-server
            environment:
              MODE: fast
`

describe('call: mcp by a process', () => {
  test('with every property is right', () => {
    expect(reportsOf(stdio)).toEqual([])
  })

  const cases: readonly Case[] = [
    [
      'stdio:',
      'stdo:',
      '12:11 unknown_property /do/0/useTool/with/transport/stdo: "stdo" is not a property of an MCP transport. Did you mean "stdio"?',
    ],
    [
      'command: npx',
      '',
      '12:11 missing_property /do/0/useTool/with/transport/stdio: An MCP transport over stdio needs "command". Add command: to it.',
    ],
    [
      'command: npx',
      'comand: npx',
      '13:13 unknown_property /do/0/useTool/with/transport/stdio/comand: "comand" is not a property of an MCP transport over stdio. Did you mean "command"?',
    ],
    [
      'command: npx',
      'command: [ npx ]',
      '13:22 wrong_type /do/0/useTool/with/transport/stdio/command: "command" has to be a string, but is a list. Write text.',
    ],
    [
      '- some-server',
      'server: some-server',
      '15:15 wrong_type /do/0/useTool/with/transport/stdio/arguments: "arguments" has to be a list of arguments, but is an object. Begin each entry with "- ", or write [ … ].',
    ],
    [
      '- some-server',
      '- 5',
      '15:17 wrong_type /do/0/useTool/with/transport/stdio/arguments/0: Entry 1 of "arguments" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'arguments:',
      'args:',
      '14:13 unknown_property /do/0/useTool/with/transport/stdio/args: "args" is not a property of an MCP transport over stdio. Remove it; possible are command, arguments, environment.',
    ],
    [
      'MODE: fast',
      'MODE: 1',
      '17:21 wrong_type /do/0/useTool/with/transport/stdio/environment/MODE: "MODE" has to be a string, but is a number. Put it in quotes: "1".',
    ],
    [
      'MODE: fast',
      '- MODE=fast',
      '17:15 wrong_type /do/0/useTool/with/transport/stdio/environment: "environment" has to be a map of strings, an object, but is a list. Write name: value pairs.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(stdio, line, by), reports)
  })
})
