/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const container = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - process:
      run:
        container:
          image: alpine:3
          name: job
          command: echo "\${HOME}"
          ports:
            '8080': 80
          volumes:
            /data: /data
          environment:
            MODE: fast
          stdin: \${ . }
          arguments:
            - first
          lifetime:
            cleanup: eventually
            after: PT30M
          pullPolicy: ifNotPresent
        await: true
        return: all
`

describe('run: container', () => {
  test('with every property is right', () => {
    expect(reportsOf(container)).toEqual([])
  })

  const cases: readonly Case[] = [
    ['run:', 'rnu:', '8:7 invalid_task /do/0/process/rnu: "rnu" is not something that a task can do. Did you mean "run"?'],
    [
      'container:',
      'contaner:',
      '9:9 unknown_property /do/0/process/run/contaner: "contaner" is not a property of a run task. Did you mean "container"?',
    ],
    [
      'container:',
      'docker:',
      '8:7 missing_property /do/0/process/run: A run task needs "container", "script", "shell" or "workflow". Add one of container, script, shell, workflow.',
      '9:9 unknown_property /do/0/process/run/docker: "docker" is not a property of a run task. Remove it; possible are container, script, shell, workflow, await, return.',
    ],
    ['image: alpine:3', '', '9:9 missing_property /do/0/process/run/container: A container needs "image". Add image: to it.'],
    [
      'image: alpine:3',
      'image: 3',
      '10:18 wrong_type /do/0/process/run/container/image: "image" has to be a string, but is a number. Put it in quotes: "3".',
    ],
    [
      'image: alpine:3',
      'imgae: alpine:3',
      '10:11 unknown_property /do/0/process/run/container/imgae: "imgae" is not a property of a container. Did you mean "image"?',
    ],
    [
      'name: job',
      'name: [ job ]',
      '11:17 wrong_type /do/0/process/run/container/name: "name" has to be a string, but is a list. Write text.',
    ],
    [
      'command: echo "${HOME}"',
      'command: [ echo ]',
      '12:20 wrong_type /do/0/process/run/container/command: "command" has to be a string, but is a list. Write text.',
    ],
    [
      'command: echo "${HOME}"',
      'cmd: echo',
      '12:11 unknown_property /do/0/process/run/container/cmd: "cmd" is not a property of a container. Remove it; possible are image, name, command, ports, volumes, stdin, arguments, environment, lifetime, pullPolicy.',
    ],
    [
      "'8080': 80",
      '- 8080:80',
      '14:13 wrong_type /do/0/process/run/container/ports: "ports" has to be an object, but is a list. Write name: value pairs.',
    ],
    [
      '/data: /data',
      '- /data:/data',
      '16:13 wrong_type /do/0/process/run/container/volumes: "volumes" has to be an object, but is a list. Write name: value pairs.',
    ],
    [
      'MODE: fast',
      '- MODE=fast',
      '18:13 wrong_type /do/0/process/run/container/environment: "environment" has to be an object, but is a list. Write name: value pairs.',
    ],
    [
      'stdin: ${ . }',
      'stdin: { a: 1 }',
      '19:18 wrong_type /do/0/process/run/container/stdin: "stdin" has to be a string, but is an object. Write text.',
    ],
    [
      'stdin: ${ . }',
      'stdin: ${ .a. }',
      "19:23 invalid_expression /do/0/process/run/container/stdin: The expression cannot be read: syntax error, unexpected end of file, expecting FORMAT or QQSTRING_START or '['. Write a jq expression, for example .order.total > 10; see docs/dsl.md.",
    ],
    [
      '- first',
      '- 1',
      '21:15 wrong_type /do/0/process/run/container/arguments/0: Entry 1 of "arguments" has to be a string, but is a number. Put it in quotes: "1".',
    ],
    [
      '- first',
      'first: 1',
      '21:13 wrong_type /do/0/process/run/container/arguments: "arguments" has to be a list of arguments, but is an object. Begin each entry with "- ", or write [ … ].',
    ],
    [
      'cleanup: eventually',
      'cleanup: always',
      '24:13 unknown_property /do/0/process/run/container/lifetime/after: "after" goes with cleanup: eventually only. Remove it, or write cleanup: eventually.',
    ],
    [
      'cleanup: eventually',
      '',
      '22:11 missing_property /do/0/process/run/container/lifetime: The lifetime of a container needs "cleanup". Add cleanup: to it.',
    ],
    [
      'cleanup: eventually',
      'cleanup: sometimes',
      '23:22 invalid_value /do/0/process/run/container/lifetime/cleanup: "sometimes" is not possible for "cleanup". Write always, never or eventually.',
    ],
    [
      'after: PT30M',
      '',
      '23:13 missing_property /do/0/process/run/container/lifetime: A container that is cleaned up eventually needs "after". Add after: with a duration, for example { minutes: 30 }.',
    ],
    [
      'after: PT30M',
      'after: 30m',
      '24:20 invalid_duration /do/0/process/run/container/lifetime/after: "30m" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'lifetime:',
      'lifeTime:',
      '22:11 unknown_property /do/0/process/run/container/lifeTime: "lifeTime" is not a property of a container. Did you mean "lifetime"?',
    ],
    [
      'pullPolicy: ifNotPresent',
      'pullPolicy: IfNotPresent',
      '25:23 invalid_value /do/0/process/run/container/pullPolicy: "IfNotPresent" is not possible for "pullPolicy". Did you mean "ifNotPresent"?',
    ],
    [
      'pullPolicy: ifNotPresent',
      'pullpolicy: always',
      '25:11 unknown_property /do/0/process/run/container/pullpolicy: "pullpolicy" is not a property of a container. Did you mean "pullPolicy"?',
    ],
    [
      'await: true',
      'await: 1',
      '26:16 wrong_type /do/0/process/run/await: "await" has to be true or false, but is a number. Write true or false, without quotes.',
    ],
    [
      'await: true',
      'awiat: true',
      '26:9 unknown_property /do/0/process/run/awiat: "awiat" is not a property of a run task. Did you mean "await"?',
    ],
    [
      'return: all',
      'return: everything',
      '27:17 invalid_value /do/0/process/run/return: "everything" is not possible for "return". Write stdout, stderr, code, all or none.',
    ],
    [
      'return: all',
      'return: code\nshell: { command: ls }',
      '28:9 conflicting_properties /do/0/process/run/shell: "shell" cannot stand beside "container": only one of container, script, shell, workflow is possible. Remove one of the two.',
    ],
    [
      'return: all',
      'returns: all',
      '27:9 unknown_property /do/0/process/run/returns: "returns" is not a property of a run task. Did you mean "return"?',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(container, line, by), reports)
  })
})

const script = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - compute:
      run:
        script:
          language: js
          code: console.log(\`\${process.argv[2]}\`)
          stdin: text
          arguments: [ a ]
          environment: { A: b }
`

describe('run: script', () => {
  test('with every property is right', () => {
    expect(reportsOf(script)).toEqual([])
  })

  const cases: readonly Case[] = [
    [
      'script:',
      'scirpt:',
      '9:9 unknown_property /do/0/compute/run/scirpt: "scirpt" is not a property of a run task. Did you mean "script"?',
    ],
    ['language: js', '', '9:9 missing_property /do/0/compute/run/script: A script needs "language". Add language: to it.'],
    [
      'language: js',
      'language: typescript',
      '10:21 unsupported_feature /do/0/compute/run/script/language: "typescript" is not a language that scripts are run in. Write js (ES2024) or python.',
    ],
    [
      'language: js',
      'language: 5',
      '10:21 wrong_type /do/0/compute/run/script/language: "language" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'language: js',
      'lang: js',
      '9:9 missing_property /do/0/compute/run/script: A script needs "language". Add language: to it.',
      '10:11 unknown_property /do/0/compute/run/script/lang: "lang" is not a property of a script. Remove it; possible are language, code, source, stdin, arguments, environment.',
    ],
    [
      'code: console.log(`${process.argv[2]}`)',
      '',
      '9:9 missing_property /do/0/compute/run/script: A script needs "code" or "source". Add one of code, source.',
    ],
    [
      'code: console.log(`${process.argv[2]}`)',
      'code: 5',
      '11:17 wrong_type /do/0/compute/run/script/code: "code" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'code: console.log(`${process.argv[2]}`)',
      'code: x\nsource: { endpoint: https://a.b }',
      '12:11 conflicting_properties /do/0/compute/run/script/source: "source" cannot stand beside "code": only one of code, source is possible. Remove one of the two.',
    ],
    [
      'code: console.log(`${process.argv[2]}`)',
      'source: x.js',
      '11:19 wrong_type /do/0/compute/run/script/source: "source" has to be an external resource, an object, but is a string. Write an object with endpoint.',
    ],
    [
      'code: console.log(`${process.argv[2]}`)',
      'source: { endpoint: x.js }',
      '11:31 invalid_uri /do/0/compute/run/script/source/endpoint: "x.js" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.',
    ],
    [
      'arguments: [ a ]',
      'arguments: { a: 1 }',
      '13:22 wrong_type /do/0/compute/run/script/arguments: "arguments" has to be a list of arguments, but is an object. Begin each entry with "- ", or write [ … ].',
    ],
    [
      'arguments: [ a ]',
      'arguments: [ 1, true ]',
      '13:24 wrong_type /do/0/compute/run/script/arguments/0: Entry 1 of "arguments" has to be a string, but is a number. Put it in quotes: "1".',
      '13:27 wrong_type /do/0/compute/run/script/arguments/1: Entry 2 of "arguments" has to be a string, but is a boolean. Put it in quotes: "true".',
    ],
    [
      'environment: { A: b }',
      'environment: [ A ]',
      '14:24 wrong_type /do/0/compute/run/script/environment: "environment" has to be an object, but is a list. Write name: value pairs.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(script, line, by), reports)
  })
})
