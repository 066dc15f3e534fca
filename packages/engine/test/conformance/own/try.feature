@section:try @section:catch
Feature: Try
  Errors that are caught, and what is tried again.

  Background:
    Given the service answers GET https://api.test/fine with { fine: true }

  Scenario: without an error the catch does nothing
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fine: { set: { fine: true } } } ]
            catch: { do: [ { never: { set: { never: true } } } ], then: exit }
            then: continue
        - after: { set: '${ . + { after: true } }' }
      """
    When the workflow is executed
    Then the workflow should complete with output { fine: true, after: true }
    And never should not have run

  Scenario: an error that is caught with neither do nor retry is swallowed, and the try gives back its input
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - changes: { set: { changed: true } }
              - fails: { raise: { error: { type: 'https://x.test/e', status: 400 } } }
            catch: {}
      """
    And the workflow input is { n: 1 }
    When the workflow is executed
    Then the workflow should complete with output { n: 1 }

  Scenario: catch.do sees the error under the name that as gives it
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 400, title: Broken, detail: '${ .what }' } } } } ]
            catch:
              as: problem
              do: [ { report: { set: { problem: '${ $problem }' } } } ]
      """
    And the workflow input is { what: The vase. }
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      problem: { type: 'https://x.test/e', status: 400, title: Broken, detail: The vase., instance: /do/0/guard/try/0/fails }
      """

  Scenario Outline: a filter catches what has all its properties (<filter>)
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 404, title: Gone, detail: For ever. } } } } ]
            catch: { errors: { with: <filter> }, do: [ { report: { set: { caught: true } } } ] }
      """
    When the workflow is executed
    Then <result>

    Examples:
      | filter                                          | result                                                  |
      | { type: 'https://x.test/e' }                    | the workflow should complete with output { caught: true } |
      | { status: 404 }                                 | the workflow should complete with output { caught: true } |
      | { title: Gone }                                 | the workflow should complete with output { caught: true } |
      | { detail: For ever. }                           | the workflow should complete with output { caught: true } |
      | { details: For ever. }                          | the workflow should complete with output { caught: true } |
      | { instance: /do/0/guard/try/0/fails }           | the workflow should complete with output { caught: true } |
      | { type: 'https://x.test/e', status: 404 }       | the workflow should complete with output { caught: true } |
      | { type: 'https://x.test/e', status: 400 }       | the workflow should fault                               |
      | { type: 'https://x.test/other' }                | the workflow should fault                               |
      | { status: 500 }                                 | the workflow should fault                               |
      | { title: Here }                                 | the workflow should fault                               |
      | { detail: For now. }                            | the workflow should fault                               |
      | { details: For now. }                            | the workflow should fault                               |
      | { instance: /do/0/guard }                       | the workflow should fault                               |

  @section:standard-error-types
  Scenario: a standard error is caught under every address that the specification writes for it
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { ask: { call: http, with: { method: get, endpoint: 'https://api.test/missing' } } } ]
            catch:
              errors: { with: { type: 'https://open-workflow-specification.org/dsl/errors/types/communication', status: 404 } }
              do: [ { report: { set: { caught: '${ $error.type }' } } } ]
      """
    When the workflow is executed
    Then the workflow should complete with output { caught: 'https://open-workflow-specification.org/spec/1.0.0/errors/communication' }

  Scenario Outline: when and exceptWhen decide on the error (<conditions>)
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 404 } } } } ]
            catch: { <conditions>, do: [ { report: { set: { caught: true } } } ] }
      """
    And the workflow input is { strict: true }
    When the workflow is executed
    Then <result>

    Examples:
      | conditions                                           | result                                                    |
      | when: $error.status == 404                           | the workflow should complete with output { caught: true } |
      | when: '${ $error.status == 500 }'                    | the workflow should fault                                 |
      | exceptWhen: .strict                                  | the workflow should fault                                 |
      | exceptWhen: $error.status == 500                     | the workflow should complete with output { caught: true } |
      | when: $error.status == 404, exceptWhen: .strict      | the workflow should fault                                 |

  Scenario: what a catch lets through, an outer one may catch
    Given a workflow with definition:
      """yaml
      do:
        - outer:
            try:
              - inner:
                  try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 500 } } } } ]
                  catch: { errors: { with: { status: 400 } } }
            catch: { do: [ { report: { set: { at: '${ $error.instance }' } } } ] }
      """
    When the workflow is executed
    Then the workflow should complete with output { at: /do/0/outer/try/0/inner/try/0/fails }

  Scenario: an error in catch.do is an error of its own
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/first', status: 500 } } } } ]
            catch:
              do: [ { again: { raise: { error: { type: 'https://x.test/second', status: 500, detail: '${ $error.type }' } } } } ]
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://x.test/second
      detail: https://x.test/first
      instance: /do/0/guard/catch/do/0/again
      """

  @section:flow-directive
  Scenario Outline: catch.then leads on where an error was caught, and only there (<fails>)
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { if: .fails, raise: { error: { type: 'https://x.test/e', status: 500 } } } } ]
            catch: { then: bad }
            then: good
        - bad: { set: { went: bad }, then: end }
        - good: { set: { went: good } }
      """
    And the workflow input is { fails: <fails> }
    When the workflow is executed
    Then the workflow should complete with output { went: <went> }

    Examples:
      | fails | went |
      | true  | bad  |
      | false | good |

  @section:flow-directive
  Scenario: without catch.then the then of the task counts for both
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 500 } } } } ]
            catch: { do: [ { note: { set: { noted: true } } } ] }
            then: last
        - between: { set: { between: true } }
        - last: { set: '${ . + { last: true } }' }
      """
    When the workflow is executed
    Then the workflow should complete with output { noted: true, last: true }

  Scenario: a catch in a catch has its own error, and the outer one is there after it
    Given a workflow with definition:
      """yaml
      do:
        - outer:
            try: [ { a: { raise: { error: { type: 'https://x.test/a', status: 400 } } } } ]
            catch:
              do:
                - inner:
                    try: [ { b: { raise: { error: { type: 'https://x.test/b', status: 401 } } } } ]
                    catch: { do: [ { c: { set: { inner: '${ $error.status }' } } } ] }
                - d: { set: '${ . + { outer: $error.status } }' }
      """
    When the workflow is executed
    Then the workflow should complete with output { inner: 401, outer: 400 }
