@section:retry @section:catch
Feature: Retry
  What is tried again: when, how often and how long.

  @section:http-call
  Scenario: a service that fails for a while is asked until it answers
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { ask: { call: http, with: { method: get, endpoint: 'https://api.test/pet' } } } ]
            catch:
              errors: { with: { status: 503 } }
              retry: { delay: PT3S, limit: { attempt: { count: 5 } } }
      """
    And the service answers GET https://api.test/pet with status 503
    And the service answers GET https://api.test/pet with status 503
    And the service answers GET https://api.test/pet with { name: milou }
    When the workflow is executed
    Then the workflow should complete with output { name: milou }
    And GET https://api.test/pet should have been asked for 3 times
    And it should have taken PT6S

  @section:backoff
  Scenario Outline: the delay grows as the backoff says (<backoff>)
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 500 } } } } ]
            catch:
              retry: { delay: PT1S, <backoff>, limit: { attempt: { count: 4 } } }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://x.test/e
      """
    And fails should have been started after <starts>

    Examples:
      | backoff                      | starts                         |
      | backoff: { constant: {} }    | PT0S, PT1S, PT2S, PT3S, PT4S   |
      | backoff: { linear: {} }      | PT0S, PT1S, PT3S, PT6S, PT10S  |
      | backoff: { exponential: {} } | PT0S, PT1S, PT3S, PT7S, PT15S  |
      | when: 'true'                 | PT0S, PT1S, PT2S, PT3S, PT4S   |

  @section:retry-limit
  Scenario: count is how often it is tried again after the first time
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 500 } } } } ]
            catch: { retry: { limit: { attempt: { count: 2 } } }, do: [ { report: { set: { given: up } } } ] }
      """
    When the workflow is executed
    Then the workflow should complete with output { given: up }
    And fails should have been started 3 times

  @section:retry-limit
  Scenario: when the tries are used up and nothing handles it, the last error is raised
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { ask: { call: http, with: { method: get, endpoint: 'https://api.test/pet' } } } ]
            catch: { retry: { limit: { attempt: { count: 1 } } } }
      """
    And the service answers GET https://api.test/pet with status 503
    And the service answers GET https://api.test/pet with status 504
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 504
      instance: /do/0/guard/try/0/ask
      """

  @section:retry-limit
  Scenario: the duration of the limit counts from the first try on, and no try begins after it
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 500 } } } } ]
            catch: { retry: { delay: PT4S, limit: { duration: PT10S } } }
      """
    When the workflow is executed
    Then the workflow should fault
    And fails should have been started after PT0S, PT4S, PT8S

  @section:retry-limit @section:timeout
  Scenario: an attempt that takes too long is a timeout, and tried again
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - ask: { call: http, with: { method: get, endpoint: 'https://api.test/pet' } }
            catch:
              errors: { with: { status: 408 } }
              retry: { delay: PT1S, limit: { attempt: { count: 3, duration: PT5S } } }
      """
    And the service never answers GET https://api.test/pet
    And the service answers GET https://api.test/pet with { name: milou }
    When the workflow is executed
    Then the workflow should complete with output { name: milou }
    And it should have taken PT6S

  @section:jitter
  Scenario: jitter is added to the delay, within its bounds
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 500 } } } } ]
            catch: { retry: { delay: PT10S, jitter: { from: PT1S, to: PT3S }, limit: { attempt: { count: 10 } } } }
      """
    When the workflow is executed
    Then the workflow should fault
    And fails should have been started 11 times
    And it should have taken between PT1M50S and PT2M10S

  @section:jitter
  Scenario: jitter without a range is exact
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 500 } } } } ]
            catch: { retry: { delay: PT10S, jitter: { from: PT2S, to: PT2S }, limit: { attempt: { count: 2 } } } }
      """
    When the workflow is executed
    Then fails should have been started after PT0S, PT12S, PT24S

  Scenario Outline: when and exceptWhen of the policy decide whether it is tried again (<conditions>)
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 503 } } } } ]
            catch: { retry: { <conditions>, limit: { attempt: { count: 2 } } } }
      """
    When the workflow is executed
    Then fails should have been started <n> times

    Examples:
      | conditions                        | n |
      | when: $error.status == 503        | 3 |
      | when: $error.status == 500        | 1 |
      | exceptWhen: $error.status == 503  | 1 |
      | exceptWhen: $error.status == 500  | 3 |

  @section:use
  Scenario: a policy may be named
    Given a workflow with definition:
      """yaml
      use: { retries: { twice: { delay: PT1S, limit: { attempt: { count: 2 } } } } }
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 503 } } } } ]
            catch: { retry: twice, do: [ { report: { set: { given: up } } } ] }
      """
    When the workflow is executed
    Then the workflow should complete with output { given: up }
    And fails should have been started after PT0S, PT1S, PT2S

  @section:use
  Scenario: an undefined policy name is an error before the workflow runs
    Given a workflow with definition:
      """yaml
      do:
        - guard: { try: [ { a: { set: { x: 1 } } } ], catch: { retry: twice } }
      """
    Then the definition should be invalid: unknown_reference at /do/0/guard/catch/retry

  Scenario: each try begins with the input of the try
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - add: { set: '${ . + 1 }' }
              - ask: { call: http, with: { method: get, endpoint: 'https://api.test/pet' }, output: { as: $input } }
            catch: { retry: { limit: { attempt: { count: 3 } } } }
      """
    And the workflow input is 1
    And the service answers GET https://api.test/pet with status 500
    And the service answers GET https://api.test/pet with status 500
    And the service answers GET https://api.test/pet with { fine: true }
    When the workflow is executed
    Then the workflow should complete with output 2

  @section:http-call
  Scenario: a service that says when to come back is given that time
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { ask: { call: http, with: { method: get, endpoint: 'https://api.test/pet' } } } ]
            catch: { retry: { delay: PT1S, limit: { attempt: { count: 3 } } } }
      """
    And the service answers GET https://api.test/pet with:
      """yaml
      status: 429
      headers: { retry-after: '30' }
      """
    And the service answers GET https://api.test/pet with { name: milou }
    When the workflow is executed
    Then the workflow should complete with output { name: milou }
    And it should have taken PT30S

  Scenario: a delay may be computed from the error
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 503 } } } } ]
            catch: { as: problem, retry: { delay: '${ "PT\($problem.status - 500)S" }', limit: { attempt: { count: 1 } } } }
      """
    When the workflow is executed
    Then fails should have been started after PT0S, PT3S

  @durable
  Scenario: the tries that were made are counted although the process is another
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { ask: { call: http, with: { method: get, endpoint: 'https://api.test/pet' } } } ]
            catch: { retry: { delay: { milliseconds: 700 }, limit: { attempt: { count: 2 } } }, do: [ { report: { set: { given: up } } } ] }
      """
    And the service answers GET https://api.test/pet with status 503
    When the workflow is executed
    Then the workflow should complete with output { given: up }
    And GET https://api.test/pet should have been asked for 3 times

  @durable
  Scenario: a try that succeeds in another process
    Given a workflow with definition:
      """yaml
      do:
        - once: { call: http, with: { method: post, endpoint: 'https://api.test/order' } }
        - guard:
            try: [ { ask: { call: http, with: { method: get, endpoint: 'https://api.test/pet' } } } ]
            catch: { retry: { delay: { milliseconds: 1500 } } }
      """
    And the service answers POST https://api.test/order with { ordered: true }
    And the service answers GET https://api.test/pet with status 503
    And the service answers GET https://api.test/pet with { name: milou }
    When the workflow is executed
    Then the workflow should complete with output { name: milou }
    And POST https://api.test/order should have been asked for 1 time
    And GET https://api.test/pet should have been asked for 2 times

  @section:timeout
  Scenario: a timeout around a try ends the trying
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            timeout: { after: PT10S }
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 500 } } } } ]
            catch: { retry: { delay: PT4S } }
      """
    When the workflow is executed
    Then the workflow should fault with the timeout error at /do/0/guard
    And fails should have been started after PT0S, PT4S, PT8S

  @section:use @section:call
  Scenario: policies in one another multiply
    Given a workflow with definition:
      """yaml
      use: { functions: { ask: { try: [ { http: { call: http, with: { method: get, endpoint: 'https://api.test/x' } } } ], catch: { retry: { delay: PT1S, limit: { attempt: { count: 1 } } } } } } }
      do:
        - guard:
            try: [ { call: { call: ask } } ]
            catch: { retry: { delay: PT10S, limit: { attempt: { count: 1 } } } }
      """
    And the service answers GET https://api.test/x with status 500
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 500
      """
    And GET https://api.test/x should have been asked for 4 times
    And it should have taken PT12S
