@section:flow-directive
Feature: Flow
  In which order tasks run, and which do not.

  @section:do
  Scenario: tasks run in the order in which they are written, each fed by the one before
    Given a workflow with definition:
      """yaml
      do:
        - one: { set: '${ . + [1] }' }
        - two: { do: [ { inner: { set: '${ . + [2] }' } } ] }
        - three: { set: '${ . + [3] }' }
      """
    And the workflow input is []
    When the workflow is executed
    Then the workflow should complete with output [ 1, 2, 3 ]
    And one, inner, two, three should have completed, in this order

  @section:task
  Scenario Outline: a task with a false condition is skipped, with its raw input as output (<condition>)
    Given a workflow with definition:
      """yaml
      do:
        - maybe:
            if: <condition>
            input: { from: '{ changed: true }' }
            set: { ran: true }
            output: { as: '. + { transformed: true }' }
            export: { as: '"exported"' }
            then: end
        - last: { set: { before: '${ . }', context: '${ $context }' } }
      """
    And the workflow input is { n: 1 }
    When the workflow is executed
    Then the workflow should complete with output { before: { n: 1 }, context: { n: 1 } }
    And maybe should have been skipped
    And maybe should not have run

    Examples:
      | condition           |
      | .n == 2             |
      | ${ .n > 1 }         |
      | .missing            |
      | 'null'              |

  @section:task
  Scenario: a condition that is neither boolean nor null faults
    Given a workflow with definition:
      """yaml
      do:
        - empty: { if: '.missing', set: { empty: ran } }
        - text: { if: '"false"', set: { text: ran } }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/expression
      status: 400
      """

  @section:raise
  Scenario: a caught error is raised again as it was
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - fail: { raise: { error: { type: https://example.com/errors/card, status: 402, title: Declined, detail: No funds } } }
            catch:
              as: problem
              do:
                - note: { set: { noted: true } }
                - again: { raise: { error: '${ $problem }' } }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://example.com/errors/card
      status: 402
      title: Declined
      detail: No funds
      """

  Scenario: then leads to another task of the list
    Given a workflow with definition:
      """yaml
      do:
        - one: { set: '${ . + ["one"] }', then: three }
        - two: { set: '${ . + ["two"] }', then: end }
        - three: { set: '${ . + ["three"] }', then: two }
      """
    And the workflow input is []
    When the workflow is executed
    Then the workflow should complete with output [ one, three, two ]

  Scenario: a jump back makes a loop
    Given a workflow with definition:
      """yaml
      do:
        - count: { set: '${ . + 1 }' }
        - again:
            switch:
              - more: { when: '. < 5', then: count }
              - done: { then: continue }
        - last: { set: { counted: '${ . }' } }
      """
    And the workflow input is 0
    When the workflow is executed
    Then the workflow should complete with output { counted: 5 }

  Scenario: exit ends the list that the task is in
    Given a workflow with definition:
      """yaml
      do:
        - outer:
            do:
              - leave: { set: '${ . + ["left"] }', then: exit }
              - never: { set: '${ . + ["never"] }' }
        - after: { set: '${ . + ["after"] }' }
      """
    And the workflow input is []
    When the workflow is executed
    Then the workflow should complete with output [ left, after ]
    And never should not have run

  Scenario: exit in the main list ends the workflow
    Given a workflow with definition:
      """yaml
      do:
        - leave: { set: { left: true }, then: exit }
        - never: { set: { never: true } }
      """
    When the workflow is executed
    Then the workflow should complete with output { left: true }

  Scenario: end ends the workflow wherever it stands, and its output is transformed all the same
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: '[ 1, 2, 3 ]' }
            do:
              - guard:
                  try:
                    - stop: { if: '$item == 2', set: { at: '${ $item }' }, output: { as: '. + { transformed: true }' }, then: end }
                  catch: {}
        - never: { set: { never: true } }
      output:
        as: { result: '${ . }' }
      """
    When the workflow is executed
    Then the workflow should complete with output { result: { at: 2, transformed: true } }
    And never should not have run

  Scenario Outline: a directive that leads nowhere is an error before anything runs (<directive>)
    Given a workflow with definition:
      """yaml
      do:
        - outer: { do: [ { inner: { set: { x: 1 }, then: <directive> } } ] }
        - other: { set: { x: 1 } }
      """
    Then the definition should be invalid: dangling_then at /do/0/outer/do/0/inner/then

    Examples:
      | directive |
      | nowhere   |
      | other     |
      | outer     |

  Scenario: an unreachable task is reported
    Given a workflow with definition:
      """yaml
      do:
        - one: { set: { x: 1 }, then: end }
        - two: { set: { x: 2 } }
      """
    Then the definition should be warned of: unreachable_task at /do/1/two

  @section:switch @section:switch-case
  Scenario Outline: a switch selects the first case that is true (<n>)
    Given a workflow with definition:
      """yaml
      do:
        - choose:
            switch:
              - otherwise: { then: many }
              - none: { when: '.n == 0', then: nothing }
              - some: { when: '${ .n < 10 }', then: few }
        - nothing: { set: { is: nothing }, then: exit }
        - few: { set: { is: few }, then: exit }
        - many: { set: { is: many } }
      """
    And the workflow input is { n: <n> }
    When the workflow is executed
    Then the workflow should complete with output { is: <is> }

    Examples:
      | n  | is      |
      | 0  | nothing |
      | 9  | few     |
      | 10 | many    |

  @section:switch @section:switch-case
  Scenario: a switch without a true case follows its own then, with its input
    Given a workflow with definition:
      """yaml
      do:
        - choose:
            switch:
              - never: { when: 'false', then: skipped }
            then: last
        - skipped: { set: { skipped: false } }
        - last: { set: '${ . + { last: true } }' }
      """
    And the workflow input is { n: 1 }
    When the workflow is executed
    Then the workflow should complete with output { n: 1, last: true }

  @section:switch @section:switch-case
  Scenario: a switch can end the workflow
    Given a workflow with definition:
      """yaml
      do:
        - choose:
            switch:
              - over: { when: .stop, then: end }
        - never: { set: { never: true } }
      """
    And the workflow input is { stop: true }
    When the workflow is executed
    Then the workflow should complete with output { stop: true }

  @section:switch @section:switch-case
  Scenario: two cases without a condition are an error
    Given a workflow with definition:
      """yaml
      do:
        - choose:
            switch:
              - one: { then: end }
              - two: { then: exit }
      """
    Then the definition should be invalid: multiple_defaults at /do/0/choose/switch/1/two

  @section:do
  Scenario: two tasks of one list cannot have the same name
    Given a workflow with definition:
      """yaml
      do:
        - same: { set: { x: 1 } }
        - same: { set: { x: 2 } }
      """
    Then the definition should be invalid: duplicate_name at /do/1/same

  @durable @section:workflow
  Scenario: a workflow that is cancelled does nothing more
    Given a workflow with definition:
      """yaml
      do:
        - pause: { wait: PT1H }
        - never: { set: { never: true } }
      """
    When the workflow is executed
    And the workflow is cancelled
    Then the workflow should be cancelled

  @section:task @section:error
  Scenario: a condition that fails is an error of its task
    Given a workflow with definition:
      """yaml
      do:
        - a: { if: '.x + 1 > 0', set: { x: 1 } }
      """
    And the workflow input is { x: text }
    When the workflow is executed
    Then the workflow should fault with the expression error at /do/0/a

  @section:switch @section:output @section:export
  Scenario: a switch transforms and exports like every task
    Given a workflow with definition:
      """yaml
      do:
        - choose:
            switch: [ { go: { when: .n == 1, then: last } } ]
            output: { as: '{ m: .n }' }
            export: { as: '{ chose: true }' }
        - between: { set: { x: 1 } }
        - last: { set: { dot: '${ . }', context: '${ $context }' } }
      """
    And the workflow input is { n: 1 }
    When the workflow is executed
    Then the workflow should complete with output { dot: { m: 1 }, context: { chose: true } }
