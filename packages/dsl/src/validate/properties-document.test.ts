/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const whole = `document:
  dsl: '1.0.3'
  namespace: shop
  name: place-order
  version: '1.0.0'
  title: Place an order
  summary: What happens when somebody orders.
  tags:
    team: core
  metadata:
    icon: box
input:
  schema:
    document: { type: object }
  from: .order
timeout:
  after:
    minutes: 10
output:
  as: .result
schedule:
  cron: 0 6 * * MON-FRI
evaluate:
  language: jq
  mode: strict
do: []
`

describe('the document and what is around its tasks', () => {
  test('with every property is right', () => {
    expect(reportsOf(whole)).toEqual([])
  })

  const cases: readonly Case[] = [
    ['icon: box', 'retention: P1D'],
    ['icon: box', 'retention: P100Y'],
    [
      'icon: box',
      'retention: PT1H',
      '11:5 invalid_value /document/metadata/retention: Executions are kept for no less than a day and no more than a hundred years. Write an ISO 8601 duration such as P7D, P90D or P10Y.',
    ],
    [
      'icon: box',
      'retention: P101Y',
      '11:5 invalid_value /document/metadata/retention: Executions are kept for no less than a day and no more than a hundred years. Write an ISO 8601 duration such as P7D, P90D or P10Y.',
    ],
    [
      'icon: box',
      'retention: 90 days',
      '11:16 invalid_duration /document/metadata/retention: "90 days" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    ["dsl: '1.0.3'", '', '1:1 missing_property /document: The document needs "dsl". Add dsl: to it.'],
    [
      "dsl: '1.0.3'",
      'dsl: 1.0',
      '2:8 wrong_type /document/dsl: "dsl" has to be a string, but is a number. Put three numbers in quotes, for example \'1.0.0\'.',
    ],
    [
      "dsl: '1.0.3'",
      "dsl: '1.1.0'",
      '2:8 unsupported_dsl_version /document/dsl: "1.1.0" is not a version of the DSL that is read here. Write dsl: \'1.0.3\'; every 1.0.x is read.',
    ],
    [
      "dsl: '1.0.3'",
      "dsl: '0.8'",
      '2:8 invalid_semver /document/dsl: "0.8" is not a semantic version. Write three numbers, for example 1.0.0 or 1.0.0-beta.1.',
    ],
    ["dsl: '1.0.3'", "dls: '1.0.3'", '2:3 unknown_property /document/dls: "dls" is not a property of the document. Did you mean "dsl"?'],
    [
      'namespace: shop',
      'namespace: my shop',
      '3:14 invalid_name /document/namespace: "my shop" is not a valid name. Use 1 to 63 letters, digits and hyphens, with a letter or digit first and last.',
    ],
    [
      'namespace: shop',
      'namespce: shop',
      '3:3 unknown_property /document/namespce: "namespce" is not a property of the document. Did you mean "namespace"?',
    ],
    [
      'namespace: shop',
      'namespace: 5',
      '3:14 wrong_type /document/namespace: "namespace" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'name: place-order',
      'name: place_order',
      '4:9 invalid_name /document/name: "place_order" is not a valid name. Use 1 to 63 letters, digits and hyphens, with a letter or digit first and last.',
    ],
    [
      'name: place-order',
      'name: -order',
      '4:9 invalid_name /document/name: "-order" is not a valid name. Use 1 to 63 letters, digits and hyphens, with a letter or digit first and last.',
    ],
    ['name: place-order', 'name:', '4:8 wrong_type /document/name: "name" has to be a string, but is empty (null). Write text.'],
    [
      "version: '1.0.0'",
      "version: '1.0'",
      '5:12 invalid_semver /document/version: "1.0" is not a semantic version. Write three numbers, for example 1.0.0 or 1.0.0-beta.1.',
    ],
    [
      "version: '1.0.0'",
      'version: 1.5',
      '5:12 wrong_type /document/version: "version" has to be a string, but is a number with a fraction. Put three numbers in quotes, for example \'1.0.0\'.',
    ],
    [
      "version: '1.0.0'",
      'version: v1.0.0',
      '5:12 invalid_semver /document/version: "v1.0.0" is not a semantic version. Write three numbers, for example 1.0.0 or 1.0.0-beta.1.',
    ],
    [
      "version: '1.0.0'",
      'version: 01.0.0',
      '5:12 invalid_semver /document/version: "01.0.0" is not a semantic version. Write three numbers, for example 1.0.0 or 1.0.0-beta.1.',
    ],
    [
      "version: '1.0.0'",
      'revision: 1.0.0',
      '1:1 missing_property /document: The document needs "version". Add version: to it.',
      '5:3 unknown_property /document/revision: "revision" is not a property of the document. Remove it; possible are dsl, namespace, name, version, title, summary, tags, metadata.',
    ],
    [
      'title: Place an order',
      'title: 5',
      '6:10 wrong_type /document/title: "title" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'title: Place an order',
      'titel: Place an order',
      '6:3 unknown_property /document/titel: "titel" is not a property of the document. Did you mean "title"?',
    ],
    [
      'summary: What happens when somebody orders.',
      'description: What happens',
      '7:3 unknown_property /document/description: "description" is not a property of the document. Remove it; possible are dsl, namespace, name, version, title, summary, tags, metadata.',
    ],
    ['team: core', '- core', '9:5 wrong_type /document/tags: "tags" has to be an object, but is a list. Write key: value pairs.'],
    [
      'icon: box',
      '- box',
      '11:5 wrong_type /document/metadata: "metadata" has to be the metadata of the document, an object, but is a list. Write an object with retention.',
    ],
    [
      'from: .order',
      'from: $context.order',
      '15:9 undefined_variable /input/from: There is no variable $context here. $context is empty before the first task; it can be read from the tasks on.',
    ],
    [
      'from: .order',
      'from: $input.order',
      '15:9 undefined_variable /input/from: There is no variable $input here. Write . (a dot) for the raw input, or $workflow.input.',
    ],
    ['input:', 'inptu:', '12:1 unknown_property /inptu: "inptu" is not a property of a workflow definition. Did you mean "input"?'],
    [
      'minutes: 10',
      'minutes: ten',
      '18:14 wrong_type /timeout/after/minutes: "minutes" has to be a whole number, but is a string. Write a whole number, without quotes.',
    ],
    [
      'minutes: 10',
      'minute: 10',
      '18:5 unknown_property /timeout/after/minute: "minute" is not a property of a duration. Did you mean "minutes"?',
    ],
    [
      'after:',
      'before:',
      '16:1 missing_property /timeout: A timeout needs "after". Add after: to it.',
      '17:3 unknown_property /timeout/before: "before" is not a property of a timeout. Remove it; possible are after.',
    ],
    [
      'as: .result',
      'as: $steps.last',
      '20:7 undefined_variable /output/as: There is no variable $steps here. $steps can be read inside of tasks only.',
    ],
    [
      'as: .result',
      'as: $output',
      '20:7 undefined_variable /output/as: There is no variable $output here. Write . (a dot): here the expression is evaluated on the output itself.',
    ],
    [
      'as: .result',
      'from: .result',
      '20:3 unknown_property /output/from: "from" is not a property of an output. Remove it; possible are schema, as.',
    ],
    [
      'cron: 0 6 * * MON-FRI',
      'cron: 0 6 * * MON-FRY',
      '22:9 invalid_cron /schedule/cron: "MON-FRY" is outside of the field day of week. The day of week takes 0 to 7, SUN to SAT, *, ranges such as 0-4 and steps such as */2.',
    ],
    [
      'cron: 0 6 * * MON-FRI',
      'cron: 0 24 * * *',
      '22:9 invalid_cron /schedule/cron: "24" is outside of the field hour. The hour takes 0 to 23, *, ranges such as 0-4 and steps such as */2.',
    ],
    [
      'cron: 0 6 * * MON-FRI',
      'cron: every morning',
      '22:9 invalid_cron /schedule/cron: A cron expression has five fields, and this has 2. Write minute, hour, day of month, month and day of week, for example "0 6 * * MON-FRI", or a nickname such as @daily.',
    ],
    [
      'cron: 0 6 * * MON-FRI',
      'corn: 0 6 * * *',
      '22:3 unknown_property /schedule/corn: "corn" is not a property of a schedule. Did you mean "cron"?',
    ],
    [
      'cron: 0 6 * * MON-FRI',
      'every: 5m',
      '22:10 invalid_duration /schedule/every: "5m" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'cron: 0 6 * * MON-FRI',
      'on: { one: { type: x } }',
      '22:9 missing_property /schedule/on/one: An event filter needs "with". Add with: to it.',
      '22:16 unknown_property /schedule/on/one/type: "type" is not a property of an event filter. Remove it; possible are with, correlate.',
    ],
    [
      'cron: 0 6 * * MON-FRI',
      'cron: 0 6 * * *\nread: data',
      '23:3 unknown_property /schedule/read: "read" goes with "on" only. Remove it, or add on: with the events that start the workflow.',
    ],
    [
      'language: jq',
      'language: javascript',
      '24:13 unsupported_feature /evaluate/language: "javascript" is not a language that expressions are evaluated in. Write jq, or remove the property.',
    ],
    [
      'language: jq',
      'langauge: jq',
      '24:3 unknown_property /evaluate/langauge: "langauge" is not a property of the configuration of expressions. Did you mean "language"?',
    ],
    ['mode: strict', 'mode: lose', '25:9 invalid_value /evaluate/mode: "lose" is not possible for "mode". Did you mean "loose"?'],
    [
      'mode: strict',
      'mode: true',
      '25:9 wrong_type /evaluate/mode: "mode" has to be a string, but is a boolean. Put it in quotes: "true".',
    ],
    [
      'evaluate:',
      'evaluation:',
      '23:1 unknown_property /evaluation: "evaluation" is not a property of a workflow definition. Did you mean "evaluate"?',
    ],
    ['do: []', '', '1:1 missing_property : A workflow definition needs "do". Add do: to it.'],
    ['do: []', 'do: {}', '26:5 wrong_type /do: "do" has to be a list of named entries, but is an object. Put "- " in front of each name.'],
    [
      'do: []',
      'do:',
      '26:4 wrong_type /do: "do" has to be a list of named entries, but is empty (null). Write a list in which each entry is "- name:" followed by its content.',
    ],
    [
      'do: []',
      'tasks: []',
      '1:1 missing_property : A workflow definition needs "do". Add do: to it.',
      '26:1 unknown_property /tasks: "tasks" is not a property of a workflow definition. Remove it; possible are document, input, use, do, timeout, output, schedule, evaluate.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(whole, line, by), reports)
  })
})
