@section:run
Feature: Run
  Scripts and other workflows, and what cannot be run here.

  @section:script-process
  Scenario: the output of a script is what it prints
    Given a workflow with definition:
      """yaml
      do:
        - run:
            run:
              script:
                language: js
                code: |
                  console.log('Hello,', 'World')
      """
    When the workflow is executed
    Then the workflow should complete with output "Hello, World\n"

  @section:script-process
  Scenario: a script gets arguments, standard input and an environment, and nothing of the host
    Given a workflow with definition:
      """yaml
      do:
        - run:
            run:
              script:
                language: js
                stdin: ${ .text }
                arguments: [ one, '${ .n }' ]
                environment: { TEAM: '${ .team }' }
                code: |
                  import { readFileSync } from 'node:fs'
                  const [_, __, first, second] = process.argv
                  const given = readFileSync(process.stdin.fd, 'utf8')
                  console.log(JSON.stringify({ first, second, given, team: process.env.TEAM, path: process.env.PATH ?? null }))
            output: { as: fromjson }
      """
    And the workflow input is { text: from outside, n: 2, team: pets }
    When the workflow is executed
    Then the workflow should complete with output { first: one, second: '2', given: from outside, team: pets, path: null }

  @section:script-process
  Scenario: what looks like an expression in a script is the script's own
    Given a workflow with definition:
      """yaml
      do:
        - run: { run: { script: { language: js, code: 'const n = 1; console.log(`n is ${ n }`)' } } }
      """
    When the workflow is executed
    Then the workflow should complete with output "n is 1\n"

  @section:script-process @section:process-result
  Scenario Outline: return says what of a script is given (<return>)
    Given a workflow with definition:
      """yaml
      do:
        - run:
            run:
              script:
                language: js
                code: |
                  console.log('out')
                  console.error('err')
                  process.exit(<code>)
              return: <return>
      """
    When the workflow is executed
    Then the workflow should complete with output <output>

    Examples:
      | return | code | output                                           |
      | stdout | 0    | "out\\n"                                          |
      | stderr | 0    | "err\\n"                                          |
      | code   | 3    | 3                                                |
      | all    | 3    | { code: 3, stdout: "out\\n", stderr: "err\\n" }    |
      | none   | 0    | null                                             |

  @section:script-process @section:standard-error-types
  Scenario: a script that fails is a runtime error, which can be caught
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { run: { run: { script: { language: js, code: 'throw new Error("broken")' } } } } ]
            catch:
              errors: { with: { type: 'https://open-workflow-specification.org/spec/1.0.0/errors/runtime' } }
              do: [ { report: { set: { why: '${ $error.detail | contains("broken") }' } } } ]
      """
    When the workflow is executed
    Then the workflow should complete with output { why: true }

  @section:script-process
  Scenario: a script may be at another place
    Given a workflow with definition:
      """yaml
      do:
        - run: { run: { script: { language: js, source: { endpoint: 'https://scripts.test/hello.js' } } } }
      """
    And at https://scripts.test/hello.js there is the text:
      """js
      console.log('from elsewhere')
      """
    When the workflow is executed
    Then the workflow should complete with output "from elsewhere\n"

  @section:script-process
  Scenario: with await false a script gives nothing, and the task its input
    Given a workflow with definition:
      """yaml
      do:
        - run: { input: { from: .inner }, run: { script: { language: js, code: 'console.log(1)' }, await: false } }
      """
    And the workflow input is { inner: { n: 1 } }
    When the workflow is executed
    Then the workflow should complete with output { n: 1 }

  @section:script-process @section:standard-error-types
  Scenario: a script without end is stopped with a timeout error
    Given a workflow with definition:
      """yaml
      do:
        - run: { run: { script: { language: js, code: 'for (;;) {}' } } }
      """
    When the workflow is executed
    Then the workflow should fault with the timeout error at /do/0/run

  @section:script-process
  Scenario: Python cannot be run here
    Given a workflow with definition:
      """yaml
      do:
        - run: { run: { script: { language: python, code: 'print(1)' } } }
      """
    Then the definition should be valid, but refused here at /do/0/run/run/script/language

  @section:shell-process
  Scenario: a shell command cannot be run here
    Given a workflow with definition:
      """yaml
      do:
        - run: { run: { shell: { command: 'echo hello' } } }
      """
    Then the definition should be valid, but refused here at /do/0/run/run/shell

  @section:container-process @section:container-lifetime
  Scenario: a container cannot be run here
    Given a workflow with definition:
      """yaml
      do:
        - run: { run: { container: { image: hello-world, lifetime: { cleanup: eventually, after: PT30M } }, return: stderr } }
      """
    Then the definition should be valid, but refused here at /do/0/run/run/container

  @section:workflow-process @section:workflow-definition-reference @durable
  Scenario: another workflow is run, and its output is the task's
    Given a workflow with definition:
      """yaml
      do:
        - child:
            run: { workflow: { namespace: shop, name: sell, version: '1.0.0', input: { item: '${ .pet }' } } }
            output: { as: '. + { back: true }' }
      """
    And a workflow that it may run:
      """yaml
      document: { dsl: '1.0.3', namespace: shop, name: sell, version: '1.0.0' }
      do:
        - pause: { wait: { milliseconds: 1200 } }
        - sell: { set: { sold: '${ .item }' } }
      """
    And the workflow input is { pet: milou }
    When the workflow is executed
    Then the workflow should complete with output { sold: milou, back: true }

  @section:workflow-process
  Scenario: a workflow that is run sees nothing of the one that runs it
    Given a workflow with definition:
      """yaml
      do:
        - first: { set: { secretly: known }, export: { as: . } }
        - child: { run: { workflow: { namespace: shop, name: look, version: '1.0.0' } } }
      """
    And a workflow that it may run:
      """yaml
      document: { dsl: '1.0.3', namespace: shop, name: look, version: '1.0.0' }
      do:
        - look: { set: { dot: '${ . }', context: '${ $context }', input: '${ $workflow.input }', name: '${ $workflow.definition.document.name }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { dot: {}, context: {}, input: {}, name: look }

  @section:workflow-process @section:error
  Scenario: an error of a workflow that is run is an error of the task, and can be caught
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { child: { run: { workflow: { namespace: shop, name: fail, version: '1.0.0' } } } } ]
            catch: { errors: { with: { status: 418 } }, do: [ { report: { set: { type: '${ $error.type }' } } } ] }
      """
    And a workflow that it may run:
      """yaml
      document: { dsl: '1.0.3', namespace: shop, name: fail, version: '1.0.0' }
      do:
        - fail: { raise: { error: { type: 'https://x.test/teapot', status: 418 } } }
      """
    When the workflow is executed
    Then the workflow should complete with output { type: 'https://x.test/teapot' }

  @section:workflow-process @section:schema
  Scenario: the input is checked by the schema of the workflow that is run
    Given a workflow with definition:
      """yaml
      do:
        - child: { run: { workflow: { namespace: shop, name: sell, version: '1.0.0', input: {} } } }
      """
    And a workflow that it may run:
      """yaml
      document: { dsl: '1.0.3', namespace: shop, name: sell, version: '1.0.0' }
      input: { schema: { document: { required: [ item ] } } }
      do:
        - sell: { set: { x: 1 } }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/validation
      """

  @section:workflow-process
  Scenario: with await false the task continues at once, with its input
    Given a workflow with definition:
      """yaml
      do:
        - child: { input: { from: .inner }, run: { workflow: { namespace: shop, name: slow, version: '1.0.0' }, await: false } }
        - look: { set: { got: '${ . }' } }
      """
    And a workflow that it may run:
      """yaml
      document: { dsl: '1.0.3', namespace: shop, name: slow, version: '1.0.0' }
      do:
        - pause: { wait: PT1H }
      """
    And the workflow input is { inner: { n: 1 } }
    When the workflow is executed
    Then the workflow should complete with output { got: { n: 1 } }
    And it should have taken PT0S

  @section:workflow-process @section:standard-error-types
  Scenario: a workflow that does not exist is a configuration error
    Given a workflow with definition:
      """yaml
      do:
        - child: { run: { workflow: { namespace: shop, name: nowhere, version: '1.0.0' } } }
      """
    When the workflow is executed
    Then the workflow should fault with the configuration error at /do/0/child

  @section:workflow-process @section:timeout @durable
  Scenario: a workflow that is run for too long is not waited for
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { child: { timeout: { after: { milliseconds: 1500 } }, run: { workflow: { namespace: shop, name: slow, version: '1.0.0' } } } } ]
            catch: { errors: { with: { status: 408 } }, do: [ { report: { set: { late: true } } } ] }
      """
    And a workflow that it may run:
      """yaml
      document: { dsl: '1.0.3', namespace: shop, name: slow, version: '1.0.0' }
      do:
        - pause: { wait: PT1H }
      """
    When the workflow is executed
    Then the workflow should complete with output { late: true }

  @section:workflow-process @section:listen @durable
  Scenario: a workflow that is run hears events as well
    Given a workflow with definition:
      """yaml
      do:
        - child: { run: { workflow: { namespace: shop, name: hear, version: '1.0.0' } } }
      """
    And a workflow that it may run:
      """yaml
      document: { dsl: '1.0.3', namespace: shop, name: hear, version: '1.0.0' }
      do:
        - hear: { listen: { to: { one: { with: { type: t } } } } }
      """
    When the workflow is executed
    And the event comes:
      """yaml
      { type: t, data: 1 }
      """
    Then the workflow should complete with output [ 1 ]

  @durable @section:workflow-process @section:emit
  Scenario: a child workflow that is not awaited continues by itself
    Given a workflow with definition:
      """yaml
      do:
        - child: { run: { workflow: { namespace: shop, name: hear, version: '1.0.0' }, await: false } }
        - wait: { listen: { to: { one: { with: { type: heard } } } } }
      """
    And a workflow that it may run:
      """yaml
      document: { dsl: '1.0.3', namespace: shop, name: hear, version: '1.0.0' }
      do:
        - hear: { listen: { to: { one: { with: { type: t } } } } }
        - report: { emit: { event: { with: { source: 'https://child.test', type: heard, data: '${ .[0] }' } } } }
      """
    When the workflow is executed
    And the event comes:
      """yaml
      { type: t, data: 1 }
      """
    Then the workflow should complete with output [ 1 ]

  @section:script-process
  Scenario: a script may wait for what it awaits, and has neither timers nor modules
    Given a workflow with definition:
      """yaml
      do:
        - run:
            run:
              script:
                language: js
                code: |
                  const later = async (value) => value
                  console.log(await later('later'), typeof setTimeout, typeof require, typeof fetch)
      """
    When the workflow is executed
    Then the workflow should complete with output "later undefined undefined undefined\n"

  @section:script-process @section:process-result
  Scenario Outline: a failing script reports its status (<how>)
    Given a workflow with definition:
      """yaml
      do:
        - run: { run: { script: { language: js, code: '<code>' }, return: code } }
      """
    When the workflow is executed
    Then the workflow should complete with output <status>

    Examples:
      | how                    | code                         | status |
      | an error               | throw new Error()            | 1      |
      | a promise without end  | await new Promise(() => {})  | 13     |
      | a status of its own    | process.exitCode = 4         | 4      |

  @section:script-process @section:retry
  Scenario: a script that failed is run again
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { run: { run: { script: { language: js, arguments: [ '${ .n }' ], code: 'process.exit(Number(process.argv[2]))' } } } } ]
            catch: { retry: { delay: PT1S, limit: { attempt: { count: 2 } } } }
      """
    And the workflow input is { n: 2 }
    When the workflow is executed
    Then the workflow should fault with the runtime error at /do/0/guard/try/0/run
    And run should have been started after PT0S, PT1S, PT2S

  @section:workflow-process @section:use
  Scenario: a child workflow receives no secret in its data
    Given a workflow with definition:
      """yaml
      use: { secrets: [ key ] }
      do:
        - child: { run: { workflow: { namespace: shop, name: look, version: '1.0.0', input: { key: '${ $secrets.key }' } } } }
      """
    And a workflow that it may run:
      """yaml
      document: { dsl: '1.0.3', namespace: shop, name: look, version: '1.0.0' }
      do:
        - look: { set: { long: '${ .key | length }' } }
      """
    And the secret key is a-long-secret
    When the workflow is executed
    Then the workflow should complete with output { long: 3 }
