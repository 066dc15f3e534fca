@section:task
Feature: What expressions can read
  The arguments of runtime expressions, and $steps, which is ours.

  Scenario: $task describes the task that is running
    Given a workflow with definition:
      """yaml
      do:
        - outer:
            do:
              - look:
                  metadata: { team: pets }
                  set:
                    name: ${ $task.name }
                    reference: ${ $task.reference }
                    team: ${ $task.definition.metadata.team }
                    since: ${ $task.startedAt.epoch.milliseconds | type }
      """
    When the workflow is executed
    Then the workflow should complete with output { name: look, reference: /do/0/outer/do/0/look, team: pets, since: number }

  @section:workflow @section:document
  Scenario: $workflow describes the execution
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: shop, name: sell, version: '2.1.0', title: Sells }
      input: { from: .n }
      do:
        - look:
            set:
              document: ${ $workflow.definition.document | "\(.namespace)/\(.name):\(.version) \(.title)" }
              input: ${ $workflow.input }
              id: ${ $workflow.id | type }
              started: ${ $workflow.startedAt.iso8601 }
              seconds: ${ $workflow.startedAt.epoch.seconds }
      """
    And the workflow input is { n: 1 }
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      document: 'shop/sell:2.1.0 Sells'
      input: { n: 1 }
      id: string
      started: '2030-01-02T03:04:05.678Z'
      seconds: 1893553445
      """

  Scenario: $runtime names this runtime
    Given a workflow with definition:
      """yaml
      do:
        - look: { set: { name: '${ $runtime.name }', version: '${ $runtime.version | type }', metadata: '${ $runtime.metadata | type }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { name: millrace, version: string, metadata: object }

  @section:wait
  Scenario: now is the time of the execution, the same wherever nothing happens in between
    Given a workflow with definition:
      """yaml
      do:
        - before: { set: { at: '${ now }' } }
        - pause: { wait: PT1M }
        - after: { set: { minutes: '${ (now - .at) / 60 }', still: '${ now == now }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { minutes: 1, still: true }

  Scenario Outline: an undefined variable is reported before the workflow runs (<where>)
    Given a workflow with definition:
      """yaml
      <definition>
      """
    Then the definition should be invalid: <code> at <pointer>

    Examples:
      | where                         | definition                                                                           | code               | pointer           |
      | an item outside of its loop   | do: [ { a: { set: { x: '${ $item }' } } } ]                                           | undefined_variable | /do/0/a/set/x     |
      | output in the task itself     | do: [ { a: { set: { x: '${ $output }' } } } ]                                         | undefined_variable | /do/0/a/set/x     |
      | an error outside of its catch | do: [ { a: { try: [ { b: { set: { x: '${ $error }' } } } ], catch: { then: end } } } ] | undefined_variable | /do/0/a/try/0/b/set/x |
      | the context before it exists  | { input: { from: '$context' }, do: [ { a: { set: { x: 1 } } } ] }                     | undefined_variable | /input/from       |
      | an unknown name               | do: [ { a: { if: '$wrokflow.id == ""', set: { x: 1 } } } ]                            | undefined_variable | /do/0/a/if        |

  @section:use
  Scenario: $secrets has what use.secrets lists
    Given a workflow with definition:
      """yaml
      use: { secrets: [ key ] }
      input: { from: '{ long: ($secrets.key | length) }' }
      do:
        - look: { set: { long: '${ .long }', first: '${ $secrets.key[0:1] }' } }
      """
    And the secret key is abcdef
    When the workflow is executed
    Then the workflow should complete with output { long: 6, first: a }

  @section:use
  Scenario: a secret that is not listed is an error before anything runs
    Given a workflow with definition:
      """yaml
      use: { secrets: [ key ] }
      do:
        - look: { set: { x: '${ $secrets.other }' } }
      """
    Then the definition should be invalid: undeclared_secret at /do/0/look/set/x

  @section:use
  Scenario: an output contains no secret
    Given a workflow with definition:
      """yaml
      use: { secrets: [ key ] }
      do:
        - leak: { set: { key: '${ $secrets.key }', inside: '${ "key=\($secrets.key)!" }' } }
      """
    And the secret key is a-long-secret
    When the workflow is executed
    Then the workflow should complete
    And the output should not contain a-long-secret

  @section:use @section:raise
  Scenario: an error contains no secret
    Given a workflow with definition:
      """yaml
      use: { secrets: [ key ] }
      do:
        - leak: { raise: { error: { type: 'https://x.test/e', status: 400, detail: '${ "the key is \($secrets.key)" }' } } }
      """
    And the secret key is a-long-secret
    When the workflow is executed
    Then the workflow should fault
    And the output should not contain a-long-secret

  @section:do
  Scenario: $steps gives the outputs of earlier tasks by name
    Given a workflow with definition:
      """yaml
      do:
        - get-pet: { set: { name: milou }, output: { as: '. + { big: false }' } }
        - other: { set: { unrelated: true } }
        - look: { set: { pet: '${ $steps["get-pet"] }', other: '${ $steps.other.unrelated }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { pet: { name: milou, big: false }, other: true }

  @section:do
  Scenario: of two tasks of the same name $steps means the one of the inner list
    Given a workflow with definition:
      """yaml
      do:
        - same: { set: { from: outer } }
        - seen: { set: { from: seen } }
        - inner:
            do:
              - same: { set: { from: inner } }
              - look: { set: { same: '${ $steps.same.from }', seen: '${ $steps.seen.from }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { same: inner, seen: seen }

  @section:do
  Scenario: a step that has not run is null, and the definition is warned of
    Given a workflow with definition:
      """yaml
      do:
        - look: { set: { later: '${ $steps.later }' } }
        - later: { if: 'false', set: { x: 1 } }
      """
    When the workflow is executed
    Then the workflow should complete with output { later: null }
    And the definition should be warned of: later_step at /do/0/look/set/later

  @section:do
  Scenario: a step of no list around is an error before anything runs
    Given a workflow with definition:
      """yaml
      do:
        - outer: { do: [ { hidden: { set: { x: 1 } } } ] }
        - look: { set: { x: '${ $steps.hidden }' } }
      """
    Then the definition should be invalid: unknown_step at /do/1/look/set/x

  @section:error @section:standard-error-types
  Scenario: an expression that fails is an expression error of its task
    Given a workflow with definition:
      """yaml
      do:
        - look: { set: { x: '${ .text + 1 }' } }
      """
    And the workflow input is { text: a }
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/expression
      status: 400
      instance: /do/0/look
      """

  Scenario: an expression that has no end is stopped
    Given a workflow with definition:
      """yaml
      do:
        - look: { set: { x: '${ [range(1e9)] | length }' } }
      """
    When the workflow is executed
    Then the workflow should fault with the expression error at /do/0/look

  @section:evaluate
  Scenario Outline: expressions are jq, strictly (<evaluate>)
    Given a workflow with definition:
      """yaml
      evaluate: <evaluate>
      do:
        - look: { set: { x: 1 } }
      """
    Then <result>

    Examples:
      | evaluate                       | result                                                                 |
      | { language: jq, mode: strict } | the definition should be valid                                              |
      | { language: javascript }       | the definition should be invalid: unsupported_feature at /evaluate/language |
      | { mode: loose }                | the definition should be valid, but refused here at /evaluate/mode     |
