@section:extension
Feature: Extensions
  Tasks before and after other tasks.

  Scenario: an extension runs its tasks before and after each task that it extends
    Given a workflow with definition:
      """yaml
      use:
        extensions:
          - logging:
              extend: set
              before: [ { log1: { emit: { event: { with: { source: 'https://s.test', type: before, data: '${ $task.reference }' } } } } } ]
              after: [ { log2: { emit: { event: { with: { source: 'https://s.test', type: after, data: '${ $task.output }' } } } } } ]
      do:
        - one: { set: { n: 1 } }
        - pause: { wait: PT1S }
        - two: { set: { n: 2 } }
      """
    When the workflow is executed
    Then the workflow should complete with output { n: 2 }
    And the events emitted should be:
      """yaml
      - { type: before, data: /do/0/one }
      - { type: after, data: { n: 1 } }
      - { type: before, data: /do/2/two }
      - { type: after, data: { n: 2 } }
      """

  Scenario: what the tasks of an extension give is dropped
    Given a workflow with definition:
      """yaml
      use:
        extensions:
          - noise: { extend: set, before: [ { b: { call: http, with: { method: get, endpoint: 'https://log.test/' } } } ], after: [ { a: { wait: PT1S } } ] }
      do:
        - one: { set: { n: '${ .n + 1 }' } }
      """
    And the workflow input is { n: 1 }
    And the service answers GET https://log.test/ with { noise: true }
    When the workflow is executed
    Then the workflow should complete with output { n: 2 }

  Scenario Outline: extend says which tasks are meant (<extend>)
    Given a workflow with definition:
      """yaml
      use:
        extensions:
          - count: { extend: <extend>, before: [ { mark: { emit: { event: { with: { source: 'https://s.test', type: t, data: '${ $task.name }' } } } } } ] }
      do:
        - outer:
            do:
              - inner: { set: { x: 1 } }
              - choose: { switch: [ { go: { then: continue } } ] }
              - pause: { wait: PT1S }
        - loop: { for: { in: '[ 1 ]' }, do: [ { guard: { try: [ { fails: { raise: { error: { type: 'https://x.test/e', status: 400 } } } } ], catch: {} } } ] }
        - report: { emit: { event: { with: { source: 'https://s.test', type: reported } } } }
      """
    When the workflow is executed
    Then the workflow should complete
    And the events of type t should have the data <names>

    Examples:
      | extend    | names                                                                  |
      | set       | [ inner ]                                                              |
      | switch    | [ choose ]                                                             |
      | wait      | [ pause ]                                                              |
      | for       | [ loop ]                                                               |
      | try       | [ guard ]                                                              |
      | raise     | [ fails ]                                                              |
      | emit      | [ report ]                                                               |
      | composite | [ outer ]                                                              |
      | all       | [ outer, inner, choose, pause, loop, guard, fails, report ]              |
      | call      | []                                                                     |

  Scenario: when says whether the extension applies
    Given a workflow with definition:
      """yaml
      use:
        extensions:
          - some:
              extend: set
              when: ${ $task.definition.metadata.watched == true }
              before: [ { mark: { emit: { event: { with: { source: 'https://s.test', type: t, data: '${ $task.name }' } } } } } ]
      do:
        - one: { set: { x: 1 } }
        - two: { metadata: { watched: true }, set: { x: 2 } }
      """
    When the workflow is executed
    Then the events of type t should have the data [ two ]

  @section:flow-directive
  Scenario: a task before that exits takes the place of the task
    Given a workflow with definition:
      """yaml
      use:
        extensions:
          - mock:
              extend: call
              when: ($task.definition.with.endpoint.uri // "") | startswith("https://mocked.test")
              before: [ { answer: { set: { statusCode: 200, mocked: true }, then: exit } } ]
      do:
        - mocked: { call: http, with: { method: get, endpoint: { uri: 'https://mocked.test/x' } }, output: { as: '. + { transformed: true }' } }
        - real: { call: http, with: { method: get, endpoint: { uri: 'https://api.test/x' } }, output: { as: '{ real: ., mocked: $steps.mocked }' } }
      """
    And the service answers GET https://api.test/x with { real: true }
    When the workflow is executed
    Then the workflow should complete with output { real: { real: true }, mocked: { statusCode: 200, mocked: true, transformed: true } }
    And GET https://mocked.test/x should have been asked for 0 times

  Scenario: of several extensions the first is outermost
    Given a workflow with definition:
      """yaml
      use:
        extensions:
          - outer: { extend: set, before: [ { b: { emit: { event: { with: { source: 'https://s.test', type: t, data: b1 } } } } } ], after: [ { a: { emit: { event: { with: { source: 'https://s.test', type: t, data: a1 } } } } } ] }
          - inner: { extend: all, before: [ { b: { emit: { event: { with: { source: 'https://s.test', type: t, data: b2 } } } } } ], after: [ { a: { emit: { event: { with: { source: 'https://s.test', type: t, data: a2 } } } } } ] }
      do:
        - one: { set: { x: 1 } }
      """
    When the workflow is executed
    Then the events of type t should have the data [ b1, b2, a2, a1 ]

  @section:error
  Scenario: an error in an extension is an error of the task
    Given a workflow with definition:
      """yaml
      use:
        extensions:
          - guard: { extend: set, before: [ { check: { if: '.n < 0', raise: { error: { type: 'https://x.test/negative', status: 400 } } } } ] }
      do:
        - try:
            try: [ { one: { set: { x: 1 } } } ]
            catch: { do: [ { report: { wait: PT0S, output: { as: '{ caught: $error.type, at: $error.instance }' } } } ] }
      """
    And the workflow input is { n: -1 }
    When the workflow is executed
    Then the workflow should complete with output { caught: 'https://x.test/negative', at: /use/extensions/0/guard/before/0/check }

  Scenario: a task that is skipped is not extended
    Given a workflow with definition:
      """yaml
      use:
        extensions:
          - mark: { extend: all, before: [ { b: { emit: { event: { with: { source: 'https://s.test', type: t } } } } } ] }
      do:
        - one: { if: 'false', set: { x: 1 } }
      """
    When the workflow is executed
    Then no event should have been emitted

  @durable @section:wait
  Scenario: an extension of a wait runs once on either side of it
    Given a workflow with definition:
      """yaml
      use:
        extensions:
          - log: { extend: wait, before: [ { b: { emit: { event: { with: { source: 'https://s.test', type: before } } } } } ], after: [ { a: { emit: { event: { with: { source: 'https://s.test', type: after } } } } } ] }
      do:
        - pause: { wait: { milliseconds: 1200 } }
      """
    When the workflow is executed
    Then the workflow should complete
    And the events emitted should be:
      """yaml
      - { type: before }
      - { type: after }
      """

  @section:input @section:output
  Scenario: the tasks before get the transformed input, those after the raw output
    Given a workflow with definition:
      """yaml
      use:
        extensions:
          - log:
              extend: set
              before: [ { b: { emit: { event: { with: { source: 'https://s.test', type: t, data: '${ . }' } } } } } ]
              after: [ { a: { emit: { event: { with: { source: 'https://s.test', type: t, data: '${ . }' } } } } } ]
      do:
        - one: { input: { from: .inner }, set: { n: '${ .n + 1 }' }, output: { as: .n } }
      """
    And the workflow input is { inner: { n: 1 } }
    When the workflow is executed
    Then the workflow should complete with output 2
    And the events of type t should have the data [ { n: 1 }, { n: 2 } ]

  @section:timeout
  Scenario: the timeout of a task is for its extensions as well
    Given a workflow with definition:
      """yaml
      use: { extensions: [ { slow: { extend: set, before: [ { pause: { wait: PT1M } } ] } } ] }
      do:
        - one: { timeout: { after: PT5S }, set: { x: 1 } }
      """
    When the workflow is executed
    Then the workflow should fault with the timeout error at /do/0/one
    And it should have taken PT5S

  @section:use
  Scenario: the tasks of functions are extended, those of extensions are not
    Given a workflow with definition:
      """yaml
      use:
        functions: { inner: { set: { x: 1 } } }
        extensions:
          - log:
              extend: all
              before: [ { b: { emit: { event: { with: { source: 'https://s.test', type: t, data: '${ $task.reference }' } } } } }, { c: { set: { y: 1 } } } ]
      do:
        - call: { call: inner }
      """
    When the workflow is executed
    Then the events of type t should have the data [ /do/0/call, /use/functions/inner ]

  @section:do
  Scenario: an extension sees its own steps, not those of the workflow
    Given a workflow with definition:
      """yaml
      use:
        extensions:
          - log:
              extend: emit
              before: [ { look: { set: { before: '${ $steps.same }' } } }, { same: { set: { from: extension } } }, { then: { call: http, with: { method: post, endpoint: 'https://log.test/', body: { look: '${ $steps.look }', same: '${ $steps.same }' } } } } ]
      do:
        - same: { set: { from: workflow } }
        - report: { emit: { event: { with: { source: 'https://s.test', type: t } } } }
      """
    And the service answers POST https://log.test/
    When the workflow is executed
    Then the workflow should complete
    And POST https://log.test/ should have been asked for with:
      """yaml
      body: { look: { before: null }, same: { from: extension } }
      """
