import { expect, test } from 'vitest'
import { validateDefinition } from './validate-definition.ts'

/** Position, code, message and hint of each diagnostic. */
function report(text: string): readonly string[] {
  return validateDefinition(text).diagnostics.map(
    ({ line, column, code, message, hint }) => `${line}:${column} ${code}: ${message} ${hint}`,
  )
}

test('a workflow with many mistakes is explained line by line', () => {
  const text = `document:
  dsl: '1.0.3'
  namespace: shop
  name: fulfil order
  version: '1.0'
input:
  schema:
    document: { type: object, required: [orderId] }
  from: '\${ . + { receivedAt: $context.now } }'
use:
  secrets: [warehouseToken]
  authentications:
    warehouse:
      bearer: \${ $secrets.warehouseToken }
  retries:
    patient:
      delay: 3s
      backoff: exponential
      limit: { attempts: 5 }
do:
  - loadOrder:
      call: http
      with:
        method: GET
        url: https://orders.example.com/{orderId}
        headers:
          authorization: Bearer \${ $secrets.token }
      output:
        as: .order
  - checkStock:
      for:
        each: $line
        in: .lines
      while: index < 10
      do:
        - reserve:
            call: http
            with:
              method: post
              endpoint: https://stock.example.com/reserve
              query: { amount: 3 }
            then: notifyCustomer
  - decide:
      switch:
        - paid:
            when: .payment.state == 'paid'
            then: ship
        - open:
            when: .payment.state === "open"
            then: remindCustomer
        - default:
            then: end
        - other: {}
      then: end
  - ship:
      try:
        - book: { call: bookCarrier, with: { order: "\${ .id }" } }
      catch:
        as: err
        when: $error.status == 503
        retry: pacient
        do:
          - report: { raise: { error: carrierDown } }
  - remindCustomr:
      wait: 2 days
      then: decide
`
  expect(report(text)).toEqual([
    `4:9 invalid_name: "fulfil order" is not a valid name. Use 1 to 63 letters, digits and hyphens, with a letter or digit first and last.`,
    `5:12 invalid_semver: "1.0" is not a semantic version. Write three numbers, for example 1.0.0 or 1.0.0-beta.1.`,
    `9:31 undefined_variable: There is no variable $context here. $context is empty before the first task; it can be read from the tasks on.`,
    `14:15 wrong_type: "bearer" has to be the credentials, an object, but is a string. Write an object with token.`,
    `17:14 invalid_duration: "3s" is not an ISO 8601 duration. Did you mean PT3S?`,
    `18:16 wrong_type: "backoff" has to be a backoff, an object, but is a string. Write an object with constant, exponential, linear.`,
    `19:16 unknown_property: "attempts" is not a property of a retry limit. Did you mean "attempt"?`,
    `25:9 unknown_property: "url" is not a property of the arguments of an HTTP call. Did you mean "endpoint"?`,
    `27:26 embedded_expression: The expression inside this text is not evaluated: only a string that is wholly \${ … } is. Write \${ "Bearer \\($secrets.token)" }.`,
    `32:15 invalid_name: "$line" cannot be the name of a variable. Write line, without $; expressions then read it as $line.`,
    `34:14 invalid_expression: The expression cannot be read: index/0 is not defined. Write .index for a property of the data, "index" for text, or check the name and the arguments of the function.`,
    `41:32 wrong_type: "amount" has to be a string, but is a number. Put it in quotes: "3".`,
    `42:19 dangling_then: There is no task "notifyCustomer" to continue with. Write continue, exit, end, or a task of the same list: reserve.`,
    `46:37 invalid_expression: The expression cannot be read: syntax error, unexpected a single quote. Write double quotes around text.`,
    `49:36 invalid_expression: The expression cannot be read: syntax error, unexpected '='. Write == in place of ===.`,
    `50:19 dangling_then: There is no task "remindCustomer" to continue with. Did you mean "remindCustomr"?`,
    `53:11 missing_property: A case of a switch needs "then". Add then: to it.`,
    `53:11 multiple_defaults: The case "other" has no condition, and neither has "default". A switch has one default at most: add when: to all others.`,
    `57:25 unknown_function: There is no function named "bookCarrier". Define it below use.functions, or call http, openapi, mcp or an operation of a connector.`,
    `60:15 undefined_variable: There is no variable $error here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization, $err.`,
    `61:16 unknown_reference: There is no retry policy named "pacient" in use.retries. Did you mean "patient"?`,
    `63:39 unknown_reference: There is no error named "carrierDown" in use.errors. Define it below use.errors, or write it here in place of the name.`,
    `65:13 invalid_duration: "2 days" is not an ISO 8601 duration. Did you mean P2D?`,
  ])
})

test('events, schedules and processes are explained as well', () => {
  const text = `document: { dsl: 1.0.3, namespace: ops, name: watch, version: 0.1.0 }
schedule:
  cron: '*/5 * * * * *'
  evry: PT5M
do:
- watch:
    listen:
      to:
        any:
        - type: com.example.alarm
        until: .count > 3 &&
    foreach:
      items: alarm
      do:
      - log: { set: { text: "Alarm \${ .name }", who: '\${ $alarm.who }' } }
- announce:
    emit:
      event:
        with:
          source: /ops/watch
          type: com.example.done
          time: tomorrow
- cleanup:
    run:
      script:
        language: typescript
        code: console.log(\`\${x}\`)
        arguments: { a: 1 }
      shell: { command: rm -rf /tmp/x }
- agent:
    call: mcp
    with:
      method: tools/cal
      transport: { stdio: { command: npx } }
- done:
    set: {}
    exprot: { as: . }
    metadata: { concurrency: 2 }
    timeout: { after: { minute: 5 } }
`
  expect(report(text)).toEqual([
    `3:9 invalid_cron: A cron expression has five fields, and this has 6. Write minute, hour, day of month, month and day of week, for example "0 6 * * MON-FRI", or a nickname such as @daily.`,
    `4:3 unknown_property: "evry" is not a property of a schedule. Did you mean "every"?`,
    `10:11 missing_property: An event filter needs "with". Add with: to it.`,
    `10:11 unknown_property: "type" is not a property of an event filter. Remove it; possible are with, correlate.`,
    `11:27 invalid_expression: The expression cannot be read: syntax error, unexpected '&', expecting end of file. Write "and" in place of &&.`,
    `13:7 unknown_property: "items" is not a property of an iterator over events. Did you mean "item"?`,
    `15:29 embedded_expression: The expression inside this text is not evaluated: only a string that is wholly \${ … } is. Write \${ "Alarm \\(.name)" }.`,
    `15:58 undefined_variable: There is no variable $alarm here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization, $item, $index.`,
    `20:19 invalid_uri: "/ops/watch" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.`,
    `22:17 invalid_timestamp: "tomorrow" is not a timestamp. Write it as RFC 3339 has it, for example 2026-01-31T12:00:00Z.`,
    `26:19 unsupported_feature: "typescript" is not a language that scripts are run in. Write js (ES2024) or python.`,
    `28:20 wrong_type: "arguments" has to be a list of arguments, but is an object. Begin each entry with "- ", or write [ … ].`,
    `29:7 conflicting_properties: "shell" cannot stand beside "script": only one of container, script, shell, workflow is possible. Remove one of the two.`,
    `33:15 invalid_value: "tools/cal" is not possible for "method". Did you mean "tools/call"?`,
    `36:10 too_few_entries: The data to set may not be empty. Add at least one key: value pair.`,
    `37:5 unknown_property: "exprot" is not a property of a set task. Did you mean "export"?`,
    `39:25 unknown_property: "minute" is not a property of a duration. Did you mean "minutes"?`,
  ])
})

test('a workflow of an older specification is explained', () => {
  const text = `id: greeting
version: '1.0'
specVersion: '0.8'
name: Greeting
start: Greet
functions:
  - name: greet
    operation: file://greet.json#greet
states:
  - name: Greet
    type: operation
    actions:
      - functionRef:
          refName: greet
    end: true
`
  expect(report(text)).toEqual([
    `1:1 missing_property: A workflow definition needs "document". Add document: to it.`,
    `1:1 missing_property: A workflow definition needs "do". Add do: to it.`,
    `1:1 unknown_property: "id" is not a property of a workflow definition. Remove it; possible are document, input, use, do, timeout, output, schedule, evaluate.`,
    `2:1 unknown_property: "version" is not a property of a workflow definition. Remove it; possible are document, input, use, do, timeout, output, schedule, evaluate.`,
    `3:1 unknown_property: "specVersion" is not a property of a workflow definition. Remove it; possible are document, input, use, do, timeout, output, schedule, evaluate.`,
    `4:1 unknown_property: "name" is not a property of a workflow definition. Remove it; possible are document, input, use, do, timeout, output, schedule, evaluate.`,
    `5:1 unknown_property: "start" is not a property of a workflow definition. Remove it; possible are document, input, use, do, timeout, output, schedule, evaluate.`,
    `6:1 unknown_property: "functions" is not a property of a workflow definition. Remove it; possible are document, input, use, do, timeout, output, schedule, evaluate.`,
    `9:1 unknown_property: "states" is not a property of a workflow definition. Remove it; possible are document, input, use, do, timeout, output, schedule, evaluate.`,
  ])
})

test('a JSON document is explained with positions in its lines', () => {
  const text = `{
  "document": { "dsl": "1.0.3", "namespace": "a", "name": "b", "version": "1.0.0", "tags": [] },
  "use": {
    "authentications": {
      "none": {},
      "two": { "basic": { "username": "u", "password": "p" }, "bearer": { "token": "t" } },
      "grant": { "oauth2": { "authority": "login.example.com", "grant": "client-credentials", "scope": ["a"] } },
      "secret": { "digest": { "use": "missing" } }
    },
    "catalogs": { "shared": { "uri": "https://catalog.example.com" } },
    "errors": { "bad": { "type": "bad", "status": "500", "message": "x" } },
    "extensions": [{ "log": { "extends": "all", "before": { "a": { "set": { "x": 1 } } } } }],
    "functions": { "f": { "call": "g" } },
    "retries": { "r": { "delay": {}, "jitter": { "from": "PT1S" }, "backoff": { "exponential": {}, "linear": {} } } },
    "timeouts": { "t": { "after": -5 } }
  },
  "do": [
    { "a": { "call": "http", "with": { "method": "get", "endpoint": "https://x.y/{id" }, "then": "b" } },
    { "b": { "fork": { "branches": [{ "c": { "wait": "PT1S", "then": "d" } }, { "d": { "wait": "PT1S" } }], "compete": "yes" } } },
    { "e": { "set": { "x": "\${ $output }", "y": "\${ $steps.c }", "z": "\${ .a | }" } } },
    { "e": { "do": [{ "f": null }, { "g": [] }, "h", { "i": {}, "j": {} }] } },
    { "k": { "run": { "workflow": { "namespace": "a", "name": "b" }, "await": "no" } } },
    { "l": { "try": {}, "catch": { "errors": { "status": 404 } } } },
    { "m": { "raise": "bad" } },
    { "n": { "switch": [] } }
  ]
}
`
  expect(report(text)).toEqual([
    `2:92 wrong_type: "tags" has to be an object, but is a list. Write key: value pairs.`,
    `5:7 missing_property: An authentication policy needs "basic", "bearer", "digest", "oauth2" or "oidc". Add one of basic, bearer, digest, oauth2, oidc.`,
    `6:56 plain_credential: "password" is in the definition as plain text: everyone who can read the definition can read it. List a secret in use.secrets, and write '\${ $secrets.name }'.`,
    `6:63 conflicting_properties: "bearer" cannot stand beside "basic": only one of basic, bearer, digest, oauth2, oidc is possible. Remove one of the two.`,
    `6:84 plain_credential: "token" is in the definition as plain text: everyone who can read the definition can read it. List a secret in use.secrets, and write '\${ $secrets.name }'.`,
    `7:43 invalid_uri: "login.example.com" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.`,
    `7:73 invalid_value: "client-credentials" is not possible for "grant". Did you mean "client_credentials"?`,
    `7:95 unknown_property: "scope" is not a property of the configuration of OAuth 2.0. Did you mean "scopes"?`,
    `8:38 undeclared_secret: The secret "missing" is not listed in use.secrets. Add missing to use.secrets.`,
    `10:31 unknown_property: "uri" is not a property of a catalog. Did you mean "endpoint"?`,
    `11:34 invalid_uri: "bad" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.`,
    `11:51 wrong_type: "status" has to be a whole number, but is a string. Write 500 without quotes.`,
    `11:58 unknown_property: "message" is not a property of an error. Did you mean "detail"?`,
    `12:31 unknown_property: "extends" is not a property of an extension. Did you mean "extend"?`,
    `12:59 wrong_type: "before" has to be a list of named entries, but is an object. Put "- " in front of each name.`,
    `13:35 unknown_function: There is no function named "g". Define it below use.functions, or call http, openapi, mcp or an operation of a connector.`,
    `14:34 too_few_entries: A duration may not be empty. Add one of days, hours, minutes, seconds, milliseconds.`,
    `14:38 missing_property: A jitter needs "to". Add to: to it.`,
    `14:100 conflicting_properties: "linear" cannot stand beside "exponential": only one of constant, exponential, linear is possible. Remove one of the two.`,
    `15:35 wrong_type: "after" has to be a duration, but is a number. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.`,
    `18:69 invalid_uri: "https://x.y/{id" has braces that do not belong together. Write {name} for a property of the input, and %7B and %7D for plain braces.`,
    `19:70 dangling_then: A branch cannot lead to "d": branches run side by side. Remove the directive, or wrap the tasks that follow each other in one branch with do.`,
    `19:120 wrong_type: "compete" has to be true or false, but is a string. Write true or false, without quotes.`,
    `20:32 undefined_variable: There is no variable $output here. $output exists in export.as only.`,
    `20:60 unknown_step: There is no task "c" in this list or in one around it. $steps knows a, b, e, k, l, m, n.`,
    `20:78 invalid_expression: The expression cannot be read: syntax error, unexpected end of file. Write a jq expression, for example .order.total > 10; see docs/dsl.md.`,
    `21:7 duplicate_name: The name "e" is already taken in this list. Give each entry of a list a name of its own.`,
    `21:28 wrong_type: "f" has to be a task, an object, but is empty (null). Write what it does below its name: for, call, do, emit, fork, listen, raise, run, set, switch, try or wait.`,
    `21:43 wrong_type: "g" has to be a task, an object, but is a list. Write what it does below its name: for, call, do, emit, fork, listen, raise, run, set, switch, try or wait.`,
    `21:49 invalid_entry: An entry of this list is an object with a task under its name. Write "- name:" with a task below it.`,
    `21:54 invalid_entry: An entry of this list is a task under one name, and this has 2: "i", "j". Begin a new "- " for each name, and indent the content below the name.`,
    `22:23 missing_property: A reference to a workflow needs "version". Add version: to it.`,
    `22:79 wrong_type: "await" has to be true or false, but is a string. Write true or false, without quotes.`,
    `23:21 wrong_type: "try" has to be a list of named entries, but is an object. Put "- " in front of each name.`,
    `23:48 unknown_property: "status" is not a property of the errors to catch. Remove it; possible are with.`,
    `24:23 wrong_type: "raise" has to be what to raise, an object, but is a string. Write an object with error.`,
    `25:7 unreachable_task: No run can reach the task "n". Lead to it with then: from a task that is reached, or remove it.`,
    `25:24 too_few_entries: "switch" has no entry. Add a case of a switch.`,
  ])
})

test('calls are explained by the arguments of their functions', () => {
  const text = `document: { dsl: 1.0.3, namespace: calls, name: calls, version: 1.0.0 }
do:
  - noArguments: { call: http }
  - openapi: { call: openapi, with: { document: https://example.com/openapi.json, operation: find } }
  - grpc: { call: grpc, with: { proto: { endpoint: greet.proto }, service: { name: S, host: 'https://greet', port: 99999 }, method: M } }
  - asyncapi: { call: asyncapi, with: { document: { endpoint: https://example.com }, operation: o, channel: c } }
  - a2a: { call: a2a, with: { method: send } }
  - mcp: { call: mcp, with: { method: tools/list, transport: { sse: { endpoint: https://example.com } }, client: { name: x } } }
  - cataloged: { call: log:1.0.0@globals }
  - unknown: { call: sendMail, with: [to, subject] }
  - http:
      call: http
      with:
        method: 5
        endpoint: { url: https://example.com, authentication: { basic: { user: ada, password: 1234 } } }
        headers: .headers
        query: [a, b]
        output: json
        redirect: 'true'
        timeout: PT5S
`
  expect(report(text)).toEqual([
    `3:5 missing_property: A call of http needs "with". Add with: to it.`,
    `4:49 wrong_type: "document" has to be an external resource, an object, but is a string. Write an object with endpoint.`,
    `4:83 unknown_property: "operation" is not a property of the arguments of an OpenAPI call. Did you mean "operationId"?`,
    `5:52 invalid_uri: "greet.proto" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.`,
    `5:93 invalid_name: "https://greet" is not a host name. Write a host such as api.example.com, without scheme or port.`,
    `5:116 invalid_value: 99999 is out of range. Write a number from 0 to 65535.`,
    `6:33 missing_property: The arguments of an AsyncAPI call need "message" or "subscription". Add one of message, subscription.`,
    `6:86 conflicting_properties: "operation" cannot stand beside "channel": only one of channel, operation is possible. Remove one of the two.`,
    `7:23 missing_property: The arguments of an A2A call need "agentCard" or "server". Add one of agentCard, server.`,
    `7:39 invalid_value: "send" is not possible for "method". Write message/send, message/stream, tasks/get, tasks/list, tasks/cancel, tasks/resubscribe, tasks/pushNotificationConfig/set, tasks/pushNotificationConfig/get, tasks/pushNotificationConfig/list, tasks/pushNotificationConfig/delete or agent/getAuthenticatedExtendedCard.`,
    `8:51 missing_property: An MCP transport needs "http" or "stdio". Add one of http, stdio.`,
    `8:64 unknown_property: "sse" is not a property of an MCP transport. Remove it; possible are http, stdio, options.`,
    `8:106 missing_property: An MCP client needs "version". Add version: to it.`,
    `9:24 unknown_reference: There is no catalog named "globals" in use.catalogs. Define globals below use.catalogs, with its endpoint.`,
    `10:22 unknown_function: There is no function named "sendMail". Define it below use.functions, or call http, openapi, mcp or an operation of a connector.`,
    `10:38 wrong_type: "with" has to be an object, but is a list. Write name: value pairs.`,
    `14:17 wrong_type: "method" has to be a string, but is a number. Put it in quotes: "5".`,
    `15:21 unknown_property: "url" is not a property of an endpoint. Did you mean "uri"?`,
    `15:74 unknown_property: "user" is not a property of the credentials. Did you mean "username"?`,
    `15:95 wrong_type: "password" has to be a string, but is a number. Put it in quotes: "1234".`,
    `16:18 invalid_value: "headers" has to be an expression in \${ … }. Write '\${ .headers }'.`,
    `17:16 wrong_type: "query" has to be a map of strings, or an expression in \${ … } that gives one, but is a list. Write a map of strings, or an expression in \${ … } that gives one.`,
    `18:17 invalid_value: "json" is not possible for "output". Write raw, content or response.`,
    `19:19 wrong_type: "redirect" has to be true or false, but is a string. Write true or false, without quotes.`,
    `20:9 unknown_property: "timeout" is not a property of the arguments of an HTTP call. Remove it; possible are method, endpoint, headers, query, body, output, redirect.`,
  ])
})

test('expressions are explained with the position inside them', () => {
  const text = `document: { dsl: 1.0.3, namespace: jq, name: jq, version: 1.0.0 }
input: { from: $input.order }
output: { as: '$outptu.x' }
timeout: { after: '\${ $context.limit }' }
do:
  - conditions:
      if: $input.ready
      set: { a: 1 }
  - operators:
      if: .a && .b
      set:
        or: '\${ .a || .b }'
        strict: '\${ .a === 1 }'
        quotes: "\${ .a == 'x' }"
        not: '\${ !.a }'
        two: '\${ .a }-\${ .b }'
        text: 'Total \${ .total }'
        function: '\${ total(.a) }'
        bare: '\${ total }'
        open: '\${ [.a, .b }'
        brace: '\${ { a: .a }'
        empty: '\${ }'
  - block:
      set:
        text: |
          \${
            .items
            | map(select(.price > $limit))
            | lenght
          }
      output: { as: $output.text }
      export: { as: '{ previous: $contxt, output: $output }' }
  - secrets:
      call: http
      with: { method: get, endpoint: https://example.com, headers: { token: '\${ $secrets.apiToken }' } }
`
  expect(report(text)).toEqual([
    `2:16 undefined_variable: There is no variable $input here. Write . (a dot) for the raw input, or $workflow.input.`,
    `3:16 undefined_variable: There is no variable $outptu here. Known here are $context, $secrets, $variables, $workflow, $runtime.`,
    `4:23 undefined_variable: There is no variable $context here. $context is empty before the first task; it can be read from the tasks on.`,
    `7:11 undefined_variable: There is no variable $input here. Write . (a dot): here the expression is evaluated on the input itself.`,
    `10:14 invalid_expression: The expression cannot be read: syntax error, unexpected '&', expecting end of file. Write "and" in place of &&.`,
    `12:21 invalid_expression: The expression cannot be read: syntax error, unexpected '|'. Write "or" in place of ||.`,
    `13:26 invalid_expression: The expression cannot be read: syntax error, unexpected '='. Write == in place of ===.`,
    `14:27 invalid_expression: The expression cannot be read: syntax error, unexpected a single quote. Write double quotes around text.`,
    `15:18 invalid_expression: The expression cannot be read: syntax error, unexpected '!', expecting end of file. Write ( … | not) in place of !.`,
    `16:21 invalid_expression: The expression cannot be read: syntax error, unexpected '}', expecting end of file. A string is one expression: put all of it into one \${ … }, and join text with "…\\( … )…".`,
    `17:15 embedded_expression: The expression inside this text is not evaluated: only a string that is wholly \${ … } is. Write \${ "Total \\(.total)" }.`,
    `18:23 invalid_expression: The expression cannot be read: total/1 is not defined. Check the name of the function and the number of its arguments.`,
    `19:19 invalid_expression: The expression cannot be read: total/0 is not defined. Write .total for a property of the data, "total" for text, or check the name and the arguments of the function.`,
    `20:24 invalid_expression: The expression cannot be read: syntax error, unexpected end of file, expecting '|' or ',' or ']'. Close [ with ].`,
    `21:25 invalid_expression: The expression cannot be read: syntax error, unexpected end of file, expecting '}'. Close { with }.`,
    `22:19 invalid_expression: The expression cannot be read: top-level program not given (try "."). Write a jq expression, for example .order.total > 10; see docs/dsl.md.`,
    `28:35 undefined_variable: There is no variable $limit here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.`,
    `29:15 invalid_expression: The expression cannot be read: lenght/0 is not defined. Did you mean the function length? Write .lenght for a property of the data.`,
    `31:21 undefined_variable: There is no variable $output here. Write . (a dot): here the expression is evaluated on the output itself.`,
    `32:34 undefined_variable: There is no variable $contxt here. Did you mean $context?`,
    `35:90 undeclared_secret: The secret "apiToken" is not listed in use.secrets. Add apiToken to use.secrets.`,
  ])
})
