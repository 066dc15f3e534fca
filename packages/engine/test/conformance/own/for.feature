@section:for
Feature: For
  Tasks once for each item, one after another or side by side.

  Scenario: each iteration is fed by the output of the one before
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { each: color, in: .colors, at: position }
            do:
              - mark: { set: { seen: '${ .seen + ["\($position):\($color)"] }' } }
      """
    And the workflow input is { colors: [ red, green ], seen: [] }
    When the workflow is executed
    Then the workflow should complete with output { seen: [ '0:red', '1:green' ] }

  Scenario: the items are called item and index unless named
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: '${ [ "a", "b" ] }' }
            do:
              - mark: { set: '${ . + [[$item, $index]] }' }
      """
    And the workflow input is []
    When the workflow is executed
    Then the workflow should complete with output [ [ a, 0 ], [ b, 1 ] ]

  Scenario: the collection may stand in the definition, with expressions in it
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for:
              each: color
              in:
                - { name: red }
                - { name: '${ .second }' }
            do:
              - mark: { set: '${ . + { names: ((.names // []) + [$color.name]) } }' }
      """
    And the workflow input is { second: green }
    When the workflow is executed
    Then the workflow should complete with output { second: green, names: [ red, green ] }

  Scenario: a loop over nothing gives back its input
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: .none }
            do:
              - never: { set: { never: true } }
      """
    And the workflow input is { none: [] }
    When the workflow is executed
    Then the workflow should complete with output { none: [] }
    And never should not have run

  Scenario Outline: what is no list cannot be looped over (<items>)
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: .items }
            do:
              - never: { set: { never: true } }
      """
    And the workflow input is { items: <items> }
    When the workflow is executed
    Then the workflow should fault with the expression error at /do/0/loop

    Examples:
      | items    |
      | null     |
      | text     |
      | { a: 1 } |

  Scenario: while is asked before each iteration, on what the iteration would get
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: '[ 1, 2, 3, 4 ]' }
            while: . < 3 and $item < 4
            do:
              - add: { set: '${ . + $item }' }
      """
    And the workflow input is 0
    When the workflow is executed
    Then the workflow should complete with output 3
    And add should have been started 2 times

  Scenario: exit ends the whole loop, with the output of the task that left
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: '[ 1, 2, 3 ]' }
            do:
              - found: { if: '$item == 2', set: { found: '${ $item }' }, then: exit }
              - next: { set: '${ . + { tried: $item } }' }
        - after: { set: '${ . + { after: true } }' }
      """
    When the workflow is executed
    Then the workflow should complete with output { found: 2, after: true }
    And next should have run once

  Scenario: loops in loops see the items of both
    Given a workflow with definition:
      """yaml
      do:
        - rows:
            for: { each: row, in: '[ 1, 2 ]' }
            do:
              - columns:
                  for: { each: column, in: '[ "a", "b" ]' }
                  do:
                    - cell: { set: '${ . + ["\($row)\($column)"] }' }
      """
    And the workflow input is []
    When the workflow is executed
    Then the workflow should complete with output [ 1a, 1b, 2a, 2b ]

  Scenario: an error in an iteration has its position, and a catch inside lets the loop continue
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: '[ 1, 0, 2 ]' }
            do:
              - guard:
                  try:
                    - divide: { set: '${ . + [10 / $item] }' }
                  catch:
                    errors: { with: { type: 'https://open-workflow-specification.org/spec/1.0.0/errors/expression' } }
                    do:
                      - note: { set: '${ . + [$error.instance] }' }
      """
    And the workflow input is []
    When the workflow is executed
    Then the workflow should complete with output [ 10, /do/0/loop/do/0/guard/try/0/divide, 5 ]

  @durable
  Scenario: a loop waits in each iteration
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: '[ 1, 2, 3 ]' }
            do:
              - pause: { wait: { milliseconds: 400 } }
              - add: { set: '${ . + $item }' }
      """
    And the workflow input is 0
    When the workflow is executed
    Then the workflow should complete with output 6

  Scenario: with concurrency iterations run side by side, and the output is the list of theirs in the order of the items
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            metadata: { concurrency: 2 }
            for: { in: '[ 3, 2, 1 ]' }
            do:
              - pause: { wait: '${ "PT\($item)S" }' }
              - give: { set: { item: '${ $item }', index: '${ $index }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output [ { item: 3, index: 0 }, { item: 2, index: 1 }, { item: 1, index: 2 } ]
    And pause should have been started after PT0S, PT0S, PT2S
    And it should have taken PT3S

  Scenario: with concurrency each iteration gets the input of the loop, and what they export is merged
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            metadata: { concurrency: 5 }
            for: { in: '[ "a", "b" ]' }
            do:
              - give: { set: { given: '${ . }' }, export: { as: '$context + { ($item): $index }' } }
        - look: { set: { outputs: '${ . }', context: '${ $context }' } }
      """
    And the workflow input is { n: 1 }
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      outputs: [ { given: { n: 1 } }, { given: { n: 1 } } ]
      context: { n: 1, a: 0, b: 1 }
      """

  Scenario: with concurrency an iteration that faults ends the others
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            metadata: { concurrency: 3 }
            for: { in: '[ 1, 2, 3 ]' }
            do:
              - pause: { wait: '${ "PT\($item)S" }' }
              - fail: { if: '$item == 2', raise: { error: { type: 'https://x.test/two', status: 500 } } }
              - end: { set: { item: '${ $item }' } }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://x.test/two
      instance: /do/0/loop/do/1/fail
      """
    And it should have taken PT2S

  Scenario: concurrency is a whole number from one
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            metadata: { concurrency: 0 }
            for: { in: '[ 1 ]' }
            do:
              - give: { set: { x: 1 } }
      """
    Then the definition should be invalid: invalid_value at /do/0/loop/metadata/concurrency

  @durable
  Scenario: iterations side by side that wait
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            metadata: { concurrency: 2 }
            for: { in: '[ 3, 1, 2 ]' }
            do:
              - pause: { wait: '${ "PT0.\($item + 4)S" }' }
              - give: { set: { item: '${ $item }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output [ { item: 3 }, { item: 1 }, { item: 2 } ]

  Scenario: with concurrency no iteration starts after while is false
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            metadata: { concurrency: 2 }
            for: { in: '[ 1, 2, 3, 4 ]' }
            while: $item < 3
            do: [ { pause: { wait: PT1S } }, { give: { set: { item: '${ $item }' } } } ]
      """
    When the workflow is executed
    Then the workflow should complete with output [ { item: 1 }, { item: 2 } ]
    And pause should have been started 2 times

  Scenario: with concurrency nothing more begins after an iteration has exited
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            metadata: { concurrency: 1 }
            for: { in: '[ 1, 2, 3 ]' }
            do: [ { give: { set: { item: '${ $item }' } } }, { leave: { if: '$item == 2', set: { left: true }, then: exit } } ]
      """
    When the workflow is executed
    Then the workflow should complete with output [ { item: 1 }, { left: true } ]
    And give should have been started 2 times

  Scenario: with concurrency no iteration sees what another one exports
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            metadata: { concurrency: 1 }
            for: { in: '[ "a", "b" ]' }
            do:
              - look: { set: { seen: '${ $context | keys }' }, export: { as: '$context + { ($item): true }' } }
      """
    And the workflow input is { n: 1 }
    When the workflow is executed
    Then the workflow should complete with output [ { seen: [ n ] }, { seen: [ n ] } ]
