@section:workflow @section:document
Feature: Definitions
  Diagnostics of a definition before it runs.

  Scenario Outline: what a document has to have (<document>)
    Given a workflow with definition:
      """yaml
      document: <document>
      do: [ { a: { set: { x: 1 } } } ]
      """
    Then the definition should be invalid: <code> at <pointer>

    Examples:
      | document                                                          | code                    | pointer           |
      | { dsl: '1.0.3', namespace: a, name: b }                           | missing_property        | /document         |
      | { dsl: '1.0.3', namespace: a, name: b, version: '1' }             | invalid_semver          | /document/version |
      | { dsl: '2.0.0', namespace: a, name: b, version: '1.0.0' }         | unsupported_dsl_version | /document/dsl     |
      | { dsl: '1.0.3', namespace: a, name: 'B c', version: '1.0.0' }     | invalid_name            | /document/name    |
      | { dsl: '1.0.3', namespace: a, name: b, version: '1.0.0', nmae: c } | unknown_property       | /document/nmae    |

  @section:task
  Scenario Outline: what is no task (<task>)
    Given a workflow with definition:
      """yaml
      do: [ { a: <task> } ]
      """
    Then the definition should be invalid: <code> at <pointer>

    Examples:
      | task                                  | code             | pointer          |
      | {}                                    | invalid_task     | /do/0/a          |
      | { set: { x: 1 }, wait: PT1S }         | invalid_task     | /do/0/a/wait     |
      | { set: { x: 1 }, iff: .x }            | unknown_property | /do/0/a/iff      |
      | { wait: PT1S, timeout: PT1S }         | unknown_reference | /do/0/a/timeout |
      | { listen: { to: {} } }                | missing_property | /do/0/a/listen/to |

  @section:schedule
  Scenario Outline: the kinds of schedule are read and checked (<schedule>)
    Given a workflow with definition:
      """yaml
      schedule: <schedule>
      do: [ { a: { set: { x: 1 } } } ]
      """
    Then the definition should be <result>

    Examples:
      | schedule                                                | result                                                       |
      | { every: PT1M }                                         | valid                                                        |
      | { cron: '0 0 * * *' }                                   | valid                                                        |
      | { after: { hours: 1 } }                                 | valid                                                        |
      | { on: { one: { with: { type: t } } }, read: envelope }  | valid                                                        |
      | { every: PT1M, cron: '@daily' }                         | valid                                                        |
      | { cron: '0 0 31 2 *' }                                  | invalid: impossible_cron at /schedule/cron                   |
      | { cron: every day }                                     | invalid: invalid_cron at /schedule/cron                      |
      | { every: PT0S }                                         | invalid: invalid_value at /schedule/every                    |

  @section:schedule @section:event-consumption-strategy
  Scenario: a workflow that events start finds them in its input
    Given a workflow with definition:
      """yaml
      schedule: { on: { all: [ { with: { type: a } }, { with: { type: b } } ] } }
      do:
        - look: { set: { first: '${ $workflow.input[0].n }', both: '${ map(.n) }' } }
      """
    And the workflow input is [ { n: 1 }, { n: 2 } ]
    When the workflow is executed
    Then the workflow should complete with output { first: 1, both: [ 1, 2 ] }

  Scenario: a workflow of no tasks gives back its input
    Given a workflow with definition:
      """yaml
      do: []
      """
    And the workflow input is { n: 1 }
    When the workflow is executed
    Then the workflow should complete with output { n: 1 }

  Scenario: an expression that is not jq is reported
    Given a workflow with definition:
      """yaml
      do: [ { a: { if: '.a ==', set: { x: 1 } } } ]
      """
    Then the definition should be invalid: invalid_expression at /do/0/a/if
