@section:raise @section:error
Feature: Raise
  Errors that a workflow makes itself, and what every error has.

  Scenario: an error is raised with what it is given, and where it was
    Given a workflow with definition:
      """yaml
      do:
        - outer:
            do:
              - fail:
                  raise:
                    error:
                      type: https://x.test/undefined-priority
                      status: 422
                      title: '${ "Undefined \(.what)" }'
                      detail: ${ .detail }
      """
    And the workflow input is { what: priority, detail: It is green. }
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://x.test/undefined-priority
      status: 422
      title: Undefined priority
      detail: It is green.
      instance: /do/0/outer/do/0/fail
      """

  Scenario: an instance that is given is kept
    Given a workflow with definition:
      """yaml
      do:
        - fail: { raise: { error: { type: 'https://x.test/e', status: 400, instance: /elsewhere } } }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      instance: /elsewhere
      """

  @section:use
  Scenario: an error may be named
    Given a workflow with definition:
      """yaml
      use: { errors: { notYet: { type: 'https://x.test/not-yet', status: 501, title: Not Yet, detail: '${ "\($task.name) is not done" }' } } }
      do:
        - work: { raise: { error: notYet } }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://x.test/not-yet
      status: 501
      title: Not Yet
      detail: work is not done
      instance: /do/0/work
      """

  @section:use
  Scenario: an undefined error name is an error before the workflow runs
    Given a workflow with definition:
      """yaml
      do:
        - work: { raise: { error: notYet } }
      """
    Then the definition should be invalid: unknown_reference at /do/0/work/raise/error

  Scenario Outline: an error needs its type and its status (<error>)
    Given a workflow with definition:
      """yaml
      do:
        - fail: { raise: { error: <error> } }
      """
    Then the definition should be invalid: missing_property at /do/0/fail/raise/error

    Examples:
      | error                          |
      | { status: 400 }                |
      | { type: 'https://x.test/e' }   |

  Scenario: what runs after an error is what caught it
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - fail: { raise: { error: { type: 'https://x.test/e', status: 400 } } }
              - never: { set: { x: 1 } }
            catch: { do: [ { first: { set: { caught: 1 } } }, { second: { set: '${ . + { and: 2 } }' } } ] }
      """
    When the workflow is executed
    Then the workflow should complete with output { caught: 1, and: 2 }
    And never should not have run
    And first, second, guard should have completed, in this order

  @section:for @section:switch
  Scenario Outline: the instance of an error is a pointer to the task that raised it (<where>)
    Given a workflow with definition:
      """yaml
      do:
        - <name>: <task>
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      instance: <instance>
      """

    Examples:
      | where     | name | task                                                                                             | instance                        |
      | a list    | a    | { do: [ { b: { raise: { error: { type: 'https://x.test/e', status: 400 } } } } ] }                | /do/0/a/do/0/b                  |
      | a loop    | a    | { for: { in: '[1]' }, do: [ { b: { raise: { error: { type: 'https://x.test/e', status: 400 } } } } ] } | /do/0/a/do/0/b             |
      | a branch  | a    | { fork: { branches: [ { b: { raise: { error: { type: 'https://x.test/e', status: 400 } } } } ] } } | /do/0/a/fork/branches/0/b      |
      | a handler | a    | { try: [ { b: { raise: { error: { type: 'https://x.test/e', status: 400 } } } } ], catch: { do: [ { c: { raise: { error: { type: 'https://x.test/e', status: 400 } } } } ] } } | /do/0/a/catch/do/0/c |
      | a name with a slash | 'a/b' | { set: { x: '${ .a.b.c[0] \| error }' } }                                              | /do/0/a~1b                      |

  @durable
  Scenario: an error after a wait has the same position
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: '[ 1, 2 ]' }
            do:
              - pause: { wait: { milliseconds: 700 } }
              - fail: { if: '$item == 2', raise: { error: { type: 'https://x.test/e', status: 400, title: '${ "item \($item)" }' } } }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      title: item 2
      instance: /do/0/loop/do/1/fail
      """
