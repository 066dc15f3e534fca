@section:timeout
Feature: Time
  Waiting, and not waiting for ever.

  @section:wait @section:duration
  Scenario Outline: a wait takes exactly as long as it says (<duration>)
    Given a workflow with definition:
      """yaml
      do:
        - pause: { wait: <duration> }
      """
    And the workflow input is { n: 1 }
    When the workflow is executed
    Then the workflow should complete with output { n: 1 }
    And it should have taken <time>

    Examples:
      | duration                                                                  | time        |
      | PT30S                                                                     | PT30S       |
      | { days: 1, hours: 1, minutes: 1, seconds: 1, milliseconds: 1 }            | P1DT1H1M1.001S |
      | P1DT12H                                                                   | P1DT12H     |
      | '${ "PT\(.n)H" }'                                                         | PT1H        |
      | { milliseconds: 0 }                                                       | PT0S        |

  @section:duration
  Scenario: a duration that an expression gives has to be one
    Given a workflow with definition:
      """yaml
      do:
        - pause: { wait: '${ "soon" }' }
      """
    When the workflow is executed
    Then the workflow should fault with the expression error at /do/0/pause

  @section:duration
  Scenario: a text that is no duration is an error before anything runs
    Given a workflow with definition:
      """yaml
      do:
        - pause: { wait: 5 minutes }
      """
    Then the definition should be invalid: invalid_duration at /do/0/pause/wait

  @section:task @section:standard-error-types
  Scenario: a task that is out of time is stopped with a timeout error
    Given a workflow with definition:
      """yaml
      do:
        - hurry:
            timeout: { after: PT5S }
            do:
              - pause: { wait: PT1H }
              - never: { set: { never: true } }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/timeout
      status: 408
      instance: /do/0/hurry
      """
    And never should not have run
    And it should have taken PT5S

  @section:catch
  Scenario: a timeout can be caught like any error
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - hurry: { timeout: { after: { seconds: 5 } }, wait: PT1H }
            catch:
              errors: { with: { type: 'https://open-workflow-specification.org/spec/1.0.0/errors/timeout' } }
              do:
                - report: { set: { late: '${ $error.instance }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { late: /do/0/guard/try/0/hurry }

  Scenario: a task that ends in time is left alone
    Given a workflow with definition:
      """yaml
      do:
        - calm: { timeout: { after: PT5S }, do: [ { pause: { wait: PT4.999S } }, { give: { set: { x: 1 }, export: { as: '"kept"' } } } ] }
        - long: { wait: PT1M }
        - look: { set: { context: '${ $context }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { context: kept }
    And it should have taken PT1M4.999S

  @section:use
  Scenario: a timeout may be named
    Given a workflow with definition:
      """yaml
      use: { timeouts: { short: { after: PT2S } } }
      do:
        - hurry: { timeout: short, wait: PT1H }
      """
    When the workflow is executed
    Then the workflow should fault with the timeout error at /do/0/hurry
    And it should have taken PT2S

  @section:use
  Scenario: an undefined timeout name is an error before the workflow runs
    Given a workflow with definition:
      """yaml
      do:
        - hurry: { timeout: short, wait: PT1H }
      """
    Then the definition should be invalid: unknown_reference at /do/0/hurry/timeout

  @section:duration
  Scenario: a timeout may be computed from the input of the task
    Given a workflow with definition:
      """yaml
      do:
        - hurry: { input: { from: .limits }, timeout: { after: '${ .most }' }, wait: PT1H }
      """
    And the workflow input is { limits: { most: PT7S } }
    When the workflow is executed
    Then the workflow should fault with the timeout error at /do/0/hurry
    And it should have taken PT7S

  @section:workflow
  Scenario: the timeout of the workflow counts for all of it
    Given a workflow with definition:
      """yaml
      timeout: { after: PT10S }
      do:
        - one: { wait: PT6S }
        - two: { wait: PT6S }
      """
    When the workflow is executed
    Then the workflow should fault with the timeout error at /
    And it should have taken PT10S

  @section:workflow
  Scenario: the timeout of the workflow cannot be caught inside
    Given a workflow with definition:
      """yaml
      timeout: { after: PT10S }
      do:
        - guard:
            try:
              - pause: { wait: PT1H }
            catch: { do: [ { never: { set: { never: true } } } ] }
      """
    When the workflow is executed
    Then the workflow should fault with the timeout error at /
    And never should not have run

  Scenario: of two timeouts the first to come counts
    Given a workflow with definition:
      """yaml
      do:
        - outer:
            timeout: { after: PT3S }
            do:
              - inner: { timeout: { after: PT9S }, wait: PT1H }
      """
    When the workflow is executed
    Then the workflow should fault with the timeout error at /do/0/outer

  @section:fork
  Scenario: a timeout stops every branch of a fork
    Given a workflow with definition:
      """yaml
      do:
        - both:
            timeout: { after: PT3S }
            fork:
              branches:
                - one: { do: [ { pause: { wait: PT5S } }, { never: { set: { x: 1 } } } ] }
                - two: { do: [ { rest: { wait: PT1S } }, { done: { set: { x: 2 } } } ] }
      """
    When the workflow is executed
    Then the workflow should fault with the timeout error at /do/0/both
    And done should have run once
    And never should not have run

  @section:http-call
  Scenario: a timeout does not wait for a service
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            timeout: { after: PT5S }
            call: http
            with: { method: get, endpoint: 'https://slow.test/' }
      """
    And the service never answers GET https://slow.test/
    When the workflow is executed
    Then the workflow should fault with the timeout error at /do/0/ask
    And it should have taken PT5S

  @durable @section:wait
  Scenario: a wait continues after a restart
    Given a workflow with definition:
      """yaml
      do:
        - before: { set: { at: '${ now }' } }
        - pause: { wait: { milliseconds: 1500 } }
        - after: { set: { waited: '${ (now - .at) >= 1.5 }', little: '${ (now - .at) < 60 }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { waited: true, little: true }

  @durable
  Scenario: a timeout comes although the process is another
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - hurry: { timeout: { after: { milliseconds: 1500 } }, wait: PT1H }
            catch: { do: [ { report: { set: { late: '${ $error.status }' } } } ] }
      """
    When the workflow is executed
    Then the workflow should complete with output { late: 408 }

  @durable @section:workflow
  Scenario: the timeout of the workflow comes although the process is another
    Given a workflow with definition:
      """yaml
      timeout: { after: { milliseconds: 1500 } }
      do:
        - pause: { wait: PT1H }
      """
    When the workflow is executed
    Then the workflow should fault with the timeout error at /

  @section:workflow @section:duration
  Scenario: the timeout of the workflow may be computed from its input
    Given a workflow with definition:
      """yaml
      timeout: { after: '${ .most }' }
      do:
        - a: { wait: PT1H }
      """
    And the workflow input is { most: PT3S }
    When the workflow is executed
    Then the workflow should fault with the timeout error at /
    And it should have taken PT3S

  @section:export
  Scenario: what was exported before the time was out is kept
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - a: { timeout: { after: PT5S }, do: [ { b: { set: { kept: 1 }, export: { as: . } } }, { c: { wait: PT1H } } ] }
            catch: { do: [ { d: { set: '${ $context }' } } ] }
      """
    When the workflow is executed
    Then the workflow should complete with output { kept: 1 }

  @section:fork
  Scenario: a branch that is out of time does not win a race
    Given a workflow with definition:
      """yaml
      do:
        - race:
            fork:
              compete: true
              branches:
                - a: { timeout: { after: PT1S }, wait: PT1H }
                - b: { do: [ { c: { wait: PT2S } }, { d: { set: { b: 1 } } } ] }
      """
    When the workflow is executed
    Then the workflow should complete with output { b: 1 }
