@section:fork
Feature: Fork
  Branches side by side.

  Scenario: the outputs of the branches come in the order in which the branches are declared
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - slow: { do: [ { pause: { wait: PT3S } }, { give: { set: { slow: '${ $workflow.input.n }' } } } ] }
                - fast: { set: { fast: '${ .n }' } }
      """
    And the workflow input is { n: 1 }
    When the workflow is executed
    Then the workflow should complete with output [ { slow: 1 }, { fast: 1 } ]
    And it should have taken PT3S

  Scenario: branches wait beside one another, not after one another
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - one: { wait: PT10S }
                - two: { wait: PT20S }
                - three: { wait: PT20S }
      """
    When the workflow is executed
    Then it should have taken PT20S

  Scenario: without branches that compete what they export is merged in their order
    Given a workflow with definition:
      """yaml
      input: { from: '{ kept: true }' }
      do:
        - both:
            fork:
              branches:
                - one: { do: [ { pause: { wait: PT2S } }, { give: { set: { x: 1 }, export: { as: '$context + { who: "one", one: true }' } } } ] }
                - two: { set: { x: 2 }, export: { as: '$context + { who: "two", two: true }' } }
        - look: { set: '${ $context }' }
      """
    When the workflow is executed
    Then the workflow should complete with output { kept: true, who: two, one: true, two: true }

  Scenario: a branch does not see what another exports
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - writes: { set: { x: 1 }, export: { as: '"written"' } }
                - reads: { do: [ { pause: { wait: PT1S } }, { look: { set: { seen: '${ $context }' } } } ] }
      """
    And the workflow input is { n: 1 }
    When the workflow is executed
    Then the workflow should complete with output [ { x: 1 }, { seen: { n: 1 } } ]

  Scenario: of branches that compete the first to complete wins, and the others are cancelled
    Given a workflow with definition:
      """yaml
      do:
        - race:
            fork:
              compete: true
              branches:
                - slow: { do: [ { pause: { wait: PT10S } }, { never: { set: { slow: true } } } ] }
                - fast: { do: [ { rest: { wait: PT1S } }, { give: { set: { fast: true }, export: { as: '"of the winner"' } } } ] }
        - look: { set: { winner: '${ . }', context: '${ $context }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { winner: { fast: true }, context: of the winner }
    And never should not have run
    And it should have taken PT1S

  @section:error
  Scenario: a branch that faults faults the fork, and the others are cancelled
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - patient: { do: [ { pause: { wait: PT10S } }, { never: { set: { x: 1 } } } ] }
                - hasty: { do: [ { rest: { wait: PT1S } }, { fail: { raise: { error: { type: 'https://x.test/e', status: 500 } } } } ] }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://x.test/e
      instance: /do/0/both/fork/branches/1/hasty/do/1/fail
      """
    And never should not have run
    And it should have taken PT1S

  @section:error @section:catch
  Scenario: an error in a branch can be caught around the fork
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - both:
                  fork:
                    branches:
                      - fine: { set: { x: 1 } }
                      - fails: { raise: { error: { type: 'https://x.test/e', status: 418 } } }
            catch:
              errors: { with: { status: 418 } }
              do:
                - report: { set: { at: '${ $error.instance }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { at: /do/0/guard/try/0/both/fork/branches/1/fails }

  @section:error @section:catch
  Scenario: an error that is caught in its branch leaves the fork alone
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - fine: { set: { x: 1 } }
                - guarded:
                    try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 418 } } } } ]
                    catch: { do: [ { report: { set: { caught: '${ $error.status }' } } } ] }
      """
    When the workflow is executed
    Then the workflow should complete with output [ { x: 1 }, { caught: 418 } ]

  @section:error
  Scenario: of branches that compete one that faults does not decide while others run
    Given a workflow with definition:
      """yaml
      do:
        - race:
            fork:
              compete: true
              branches:
                - fails: { raise: { error: { type: 'https://x.test/e', status: 500 } } }
                - slow: { do: [ { pause: { wait: PT5S } }, { give: { set: { slow: true } } } ] }
      """
    When the workflow is executed
    Then the workflow should complete with output { slow: true }

  @section:error
  Scenario: when all branches that compete fault, the error of the first is the fork's
    Given a workflow with definition:
      """yaml
      do:
        - race:
            fork:
              compete: true
              branches:
                - later: { do: [ { pause: { wait: PT5S } }, { fail: { raise: { error: { type: 'https://x.test/later', status: 500 } } } } ] }
                - first: { raise: { error: { type: 'https://x.test/first', status: 500 } } }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://x.test/first
      """
    And it should have taken PT5S

  @section:flow-directive
  Scenario: end in a branch ends the workflow, and the branches beside it
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - patient: { do: [ { pause: { wait: PT10S } }, { never: { set: { x: 1 } } } ] }
                - ends: { set: { ended: true }, then: end }
        - after: { set: { after: true } }
      """
    When the workflow is executed
    Then the workflow should complete with output { ended: true }
    And after should not have run
    And it should have taken PT0S

  @section:flow-directive
  Scenario: exit in a branch ends the branch
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - one: { do: [ { leave: { set: { left: true }, then: exit } }, { never: { set: { x: 1 } } } ] }
                - two: { set: { two: true } }
      """
    When the workflow is executed
    Then the workflow should complete with output [ { left: true }, { two: true } ]

  @section:flow-directive
  Scenario: a branch cannot lead to another
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - one: { set: { x: 1 }, then: two }
                - two: { set: { x: 2 } }
      """
    Then the definition should be invalid: dangling_then at /do/0/both/fork/branches/0/one/then

  @durable
  Scenario: branches that wait, for a time and for one another
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - slow: { do: [ { pause: { wait: { milliseconds: 1500 } } }, { give: { set: { slow: true } } } ] }
                - fast: { set: { fast: true } }
                - middle: { do: [ { rest: { wait: { milliseconds: 800 } } }, { give: { set: { middle: true } } } ] }
      """
    When the workflow is executed
    Then the workflow should complete with output [ { slow: true }, { fast: true }, { middle: true } ]

  @durable
  Scenario: the winner of a race is the same after the process was another
    Given a workflow with definition:
      """yaml
      do:
        - race:
            fork:
              compete: true
              branches:
                - slow: { do: [ { pause: { wait: PT1H } }, { give: { set: { slow: true } } } ] }
                - fast: { do: [ { rest: { wait: { milliseconds: 1200 } } }, { give: { set: { fast: true } } } ] }
      """
    When the workflow is executed
    Then the workflow should complete with output { fast: true }

  @durable @section:error
  Scenario: a branch that faults late ends one that would wait for an hour
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - patient: { wait: PT1H }
                - hasty: { do: [ { rest: { wait: { milliseconds: 1200 } } }, { fail: { raise: { error: { type: 'https://x.test/e', status: 500 } } } } ] }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://x.test/e
      instance: /do/0/both/fork/branches/1/hasty/do/1/fail
      """

  @durable @section:flow-directive
  Scenario: end in a branch ends what another branch waits for
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - hear: { listen: { to: { one: { with: { type: t } } } } }
                - ends: { do: [ { pause: { wait: { milliseconds: 1200 } } }, { stop: { set: { ended: true }, then: end } } ] }
      """
    When the workflow is executed
    Then the workflow should complete with output { ended: true }
