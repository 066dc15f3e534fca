@section:listen @section:event-consumption-strategy
Feature: Listen
  Events that a workflow waits for.

  Scenario: without an event it waits, and what comes after does not run
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { one: { with: { type: order.placed } } } } }
        - never: { set: { x: 1 } }
      """
    When the workflow is executed
    And P10D passes
    Then the workflow should be waiting
    And never should not have run

  @durable
  Scenario: one takes the event that it waits for, as a list of one
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { one: { with: { type: order.placed } } } } }
      """
    When the workflow is executed
    And the event comes:
      """yaml
      { type: order.placed, data: { id: 1 } }
      """
    Then the workflow should complete with output [ { id: 1 } ]

  @durable
  Scenario: an event that came before it was listened for is there
    Given a workflow with definition:
      """yaml
      do:
        - pause: { wait: { milliseconds: 900 } }
        - hear: { listen: { to: { one: { with: { type: order.placed } } } } }
      """
    And the event has come before:
      """yaml
      { type: order.placed, data: { id: 1 } }
      """
    When the workflow is executed
    Then the workflow should complete with output [ { id: 1 } ]

  Scenario: an event is taken once
    Given a workflow with definition:
      """yaml
      do:
        - first: { listen: { to: { one: { with: { type: order.placed } } } } }
        - second: { listen: { to: { one: { with: { type: order.placed } } } }, output: { as: '$steps.first + .' } }
      """
    When the workflow is executed
    And the event comes:
      """yaml
      { type: order.placed, data: 1 }
      """
    And PT1H passes
    And the event comes:
      """yaml
      { type: order.placed, data: 2 }
      """
    Then the workflow should complete with output [ 1, 2 ]

  Scenario: an event that comes twice, by its source and id, counts once
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { any: [ { with: { type: t } } ], until: '${ length == 2 }' } } }
      """
    When the workflow is executed
    And the events come:
      | type | id | data |
      | t    | a  | 1    |
      | t    | a  | 1    |
      | t    | b  | 2    |
    Then the workflow should complete with output [ 1, 2 ]

  @section:event-filter
  Scenario Outline: a filter passes what has all its attributes (<filter>)
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { one: { with: <filter> } } } }
      """
    And the workflow input is { kind: order.placed }
    When the workflow is executed
    And the event comes:
      """yaml
      { type: order.placed, source: 'https://shop.test/eu', subject: '7', roomid: 12, data: { id: 1, total: 30, lines: [ a ] } }
      """
    Then <result>

    Examples: that pass
      | filter                                                   | result                       |
      | { type: order.placed }                                   | the workflow should complete |
      | { type: order.placed, subject: '7' }                     | the workflow should complete |
      | { roomid: 12 }                                           | the workflow should complete |
      | { source: 'https://shop.test/.*' }                       | the workflow should complete |
      | { type: 'order\.(placed\|paid)' }                        | the workflow should complete |
      | { type: '${ $input.kind }' }                             | the workflow should complete |
      | { data: '${ .total > 20 }' }                             | the workflow should complete |
      | { data: { id: 1 } }                                      | the workflow should complete |
      | { data: { total: '${ . > 20 }', id: 1 } }                | the workflow should complete |

    Examples: that do not
      | filter                                                   | result                         |
      | { type: order.paid }                                     | the workflow should be waiting |
      | { type: order }                                          | the workflow should be waiting |
      | { type: order.placed, subject: '8' }                     | the workflow should be waiting |
      | { type: order.placed, tenant: x }                        | the workflow should be waiting |
      | { source: 'https://shop.test/us.*' }                     | the workflow should be waiting |
      | { data: '${ .total > 40 }' }                             | the workflow should be waiting |
      | { data: '${ .lines.a }' }                                | the workflow should be waiting |
      | { data: { id: 2 } }                                      | the workflow should be waiting |
      | { data: { id: 1, other: 1 } }                            | the workflow should be waiting |

  @section:event-filter
  Scenario: a filter cannot read a secret, since what it reads is stored
    Given a workflow with definition:
      """yaml
      use: { secrets: [ key ] }
      do:
        - hear: { listen: { to: { one: { with: { type: '${ $secrets.key }' } } } } }
      """
    Then the definition should be valid, but refused here at /do/0/hear/listen/to/one

  @section:event-filter
  Scenario: a filter of nothing is an error
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { one: { with: {} } } } }
      """
    Then the definition should be invalid: too_few_entries at /do/0/hear/listen/to/one/with

  @durable
  Scenario: any continues with the first event that passes one of the filters
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { any: [ { with: { type: a } }, { with: { type: b } } ] } } }
      """
    When the workflow is executed
    And the event comes:
      """yaml
      { type: c, data: c }
      """
    And the event comes:
      """yaml
      { type: b, data: b }
      """
    Then the workflow should complete with output [ b ]

  Scenario: any of nothing takes every event
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { any: [] } } }
      """
    When the workflow is executed
    And the event comes:
      """yaml
      { type: whatever, data: 1 }
      """
    Then the workflow should complete with output [ 1 ]

  @durable
  Scenario: all waits until every filter had an event, in the order in which they come
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { all: [ { with: { type: a } }, { with: { type: b } } ] } } }
      """
    When the workflow is executed
    And the events come:
      | type | data |
      | b    | b1   |
      | b    | b2   |
      | c    | c1   |
      | a    | a1   |
    Then the workflow should complete with output [ b1, a1 ]

  Scenario: all is not content with one of two
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { all: [ { with: { type: a } }, { with: { type: b } } ] } } }
      """
    When the workflow is executed
    And the events come:
      | type | data |
      | a    | 1    |
      | a    | 2    |
    Then the workflow should be waiting

  @durable
  Scenario: until may be a condition on what was consumed
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { any: [ { with: { type: measured } } ], until: '(map(.value) | add) > 10' } } }
      """
    When the workflow is executed
    And the events come:
      | type     | data         |
      | measured | { value: 4 } |
      | measured | { value: 5 } |
      | measured | { value: 6 } |
      | measured | { value: 7 } |
    Then the workflow should complete with output [ { value: 4 }, { value: 5 }, { value: 6 } ]

  @durable
  Scenario: until may be an event, which is no part of the output
    Given a workflow with definition:
      """yaml
      do:
        - hear:
            listen:
              to:
                any: [ { with: { type: measured } } ]
                until: { one: { with: { type: checked.out } } }
      """
    When the workflow is executed
    And the events come:
      | type        | data |
      | measured    | 1    |
      | measured    | 2    |
      | checked.out | bye  |
      | measured    | 3    |
    Then the workflow should complete with output [ 1, 2 ]

  Scenario: until may be all of several events
    Given a workflow with definition:
      """yaml
      do:
        - hear:
            listen:
              to:
                any: [ { with: { type: measured } } ]
                until: { all: [ { with: { type: signed } }, { with: { type: paid } } ] }
      """
    When the workflow is executed
    And the events come:
      | type     | data |
      | paid     |      |
      | measured | 1    |
      | signed   |      |
      | measured | 2    |
    Then the workflow should complete with output [ 1 ]

  Scenario Outline: read says what of an event is taken (<read>)
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { one: { with: { type: t } } }, read: <read> } }
      """
    When the workflow is executed
    And the event comes:
      """yaml
      { type: t, id: '1', source: 'https://s.test', data: { n: 1 } }
      """
    Then the workflow should complete with output:
      """yaml
      <output>
      """

    Examples:
      | read     | output                                                                                                                   |
      | data     | [ { n: 1 } ]                                                                                                             |
      | envelope | [ { specversion: '1.0', id: '1', source: 'https://s.test', time: '2030-01-01T00:00:00Z', type: t, data: { n: 1 } } ]      |
      | raw      | [ '{"n":1}' ]                                                                                                            |

  Scenario: an event without data gives null
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { one: { with: { type: t } } } } }
      """
    When the workflow is executed
    And the event comes:
      """yaml
      { type: t }
      """
    Then the workflow should complete with output [ null ]

  @section:timeout
  Scenario: listening can be out of time, and an event that comes then is not taken
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { hear: { timeout: { after: PT1M }, listen: { to: { one: { with: { type: t } } } } } } ]
            catch: { errors: { with: { status: 408 } }, do: [ { pause: { wait: PT1H } } ] }
        - again: { listen: { to: { one: { with: { type: t } } } } }
      """
    When the workflow is executed
    And PT2M passes
    And the event comes:
      """yaml
      { type: t, data: late }
      """
    Then the workflow should complete with output [ late ]
    And it should have taken PT1H1M

  @section:fork @durable
  Scenario: an event wins a race against the time
    Given a workflow with definition:
      """yaml
      do:
        - race:
            fork:
              compete: true
              branches:
                - late: { do: [ { pause: { wait: P7D } }, { no: { set: { answer: none } } } ] }
                - heard: { listen: { to: { one: { with: { type: answer } } } }, output: { as: '{ answer: .[0] }' } }
      """
    When the workflow is executed
    And the event comes:
      """yaml
      { type: answer, data: yes }
      """
    Then the workflow should complete with output { answer: yes }

  @section:fork
  Scenario: two branches that wait for the same event both get it
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - one: { listen: { to: { one: { with: { type: t } } } } }
                - two: { listen: { to: { one: { with: { type: t } } } } }
      """
    When the workflow is executed
    And the event comes:
      """yaml
      { type: t, data: 1 }
      """
    Then the workflow should complete with output [ [ 1 ], [ 1 ] ]

  @section:subscription-iterator
  Scenario: foreach runs tasks for each event, in the order in which they come
    Given a workflow with definition:
      """yaml
      do:
        - hear:
            listen: { to: { any: [ { with: { type: t } } ], until: '${ length == 2 }' } }
            foreach:
              item: reading
              at: position
              do:
                - pause: { wait: PT10S }
                - mark: { set: { got: '${ $reading.n }', at: '${ $position }' } }
      """
    When the workflow is executed
    And the events come:
      | type | data     |
      | t    | { n: 5 } |
      | t    | { n: 6 } |
    Then the workflow should complete with output [ { got: 5, at: 0 }, { got: 6, at: 1 } ]
    And it should have taken PT20S
    And pause should have been started after PT0S, PT10S

  @section:subscription-iterator @section:export
  Scenario: foreach transforms and exports per event
    Given a workflow with definition:
      """yaml
      input: { from: '{ sum: 0 }' }
      do:
        - hear:
            listen: { to: { any: [ { with: { type: t } } ], until: '${ $context.sum >= 3 }' } }
            foreach:
              output: { as: '. * 10' }
              export: { as: '{ sum: ($context.sum + $item) }' }
        - look: { set: { consumed: '${ . }', context: '${ $context }' } }
      """
    When the workflow is executed
    And the events come:
      | type | data |
      | t    | 1    |
      | t    | 2    |
    Then the workflow should complete with output { consumed: [ 10, 20 ], context: { sum: 3 } }

  @section:subscription-iterator @section:catch
  Scenario: an error in foreach is an error of the listening
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - hear:
                  listen: { to: { any: [ { with: { type: t } } ], until: '${ false }' } }
                  foreach: { do: [ { check: { if: '$item < 0', raise: { error: { type: 'https://x.test/negative', status: 400 } } } } ] }
            catch: { do: [ { report: { set: { at: '${ $error.instance }' } } } ] }
      """
    When the workflow is executed
    And the events come:
      | type | data |
      | t    | 1    |
      | t    | -1   |
    Then the workflow should complete with output { at: /do/0/guard/try/0/hear/foreach/do/0/check }

  @section:subscription-iterator
  Scenario: events that come while an event is processed wait for their turn
    Given a workflow with definition:
      """yaml
      do:
        - hear:
            listen: { to: { any: [ { with: { type: t } } ], until: { one: { with: { type: stop } } } } }
            foreach: { do: [ { pause: { wait: PT1M } }, { mark: { set: '${ $item }' } } ] }
      """
    When the workflow is executed
    And the event comes:
      """yaml
      { type: t, data: 1 }
      """
    And PT10S passes
    And the events come:
      | type | data |
      | t    | 2    |
      | stop |      |
    Then the workflow should complete with output [ 1, 2 ]
    And it should have taken PT2M

  @section:correlation
  Scenario: an expected value has to be met
    Given a workflow with definition:
      """yaml
      do:
        - hear:
            listen:
              to:
                one:
                  with: { type: paid }
                  correlate: { order: { from: '${ .data.orderId }', expect: '${ .id }' } }
      """
    And the workflow input is { id: 7 }
    When the workflow is executed
    And the events come:
      | type | data                      |
      | paid | { orderId: 8 }            |
      | paid | {}                        |
      | paid | { orderId: 7, total: 30 } |
    Then the workflow should complete with output [ { orderId: 7, total: 30 } ]

  @section:correlation @durable
  Scenario: without an expected value the first event decides which the others have to have
    Given a workflow with definition:
      """yaml
      do:
        - hear:
            listen:
              to:
                all:
                  - { with: { type: temperature }, correlate: { room: { from: .roomid } } }
                  - { with: { type: humidity }, correlate: { room: { from: .roomid } } }
      """
    When the workflow is executed
    And the events come:
      | type        | roomid  | data      |
      | temperature | kitchen | { t: 21 } |
      | humidity    | bath    | { h: 80 } |
      | humidity    | kitchen | { h: 40 } |
    Then the workflow should complete with output [ { t: 21 }, { h: 40 } ]

  @section:correlation
  Scenario: all of several correlations have to be met
    Given a workflow with definition:
      """yaml
      do:
        - hear:
            listen:
              to:
                one:
                  with: { type: paid }
                  correlate:
                    order: { from: .data.order, expect: '${ .order }' }
                    region: { from: .region, expect: eu }
      """
    And the workflow input is { order: 7 }
    When the workflow is executed
    And the events come:
      | type | region | data               |
      | paid | us     | { order: 7, n: 1 } |
      | paid | eu     | { order: 8, n: 2 } |
      | paid | eu     | { order: 7, n: 3 } |
    Then the workflow should complete with output [ { order: 7, n: 3 } ]

  Scenario: an empty any does not match lifecycle events
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { any: [] } } }
      """
    When the workflow is executed
    And the events come:
      | type                                      | data        |
      | io.serverlessworkflow.workflow.started.v1 | { name: x } |
      | ours                                      | 1           |
    Then the workflow should complete with output [ 1 ]

  @durable
  Scenario: an event that passes two filters of all counts for both
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { all: [ { with: { type: a } }, { with: { source: 'https://x.test' } } ] } } }
      """
    When the workflow is executed
    And the events come:
      | type | source | data |
      | a    | https://x.test | 1    |
    Then the workflow should complete with output [ 1, 1 ]

  @durable
  Scenario: an event that passes a filter and the until is consumed, and ends the listening
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { any: [ { with: { type: t } } ], until: { one: { with: { type: t } } } } } }
      """
    When the workflow is executed
    And the events come:
      | type | data |
      | t    | 1    |
    Then the workflow should complete with output [ 1 ]

  @durable
  Scenario: an event that arrives after a listener was satisfied goes to the next listener
    Given a workflow with definition:
      """yaml
      do:
        - first: { listen: { to: { any: [ { with: { type: t } } ], until: '${ length == 2 }' } } }
        - second: { listen: { to: { any: [ { with: { type: t } } ], until: '${ length == 2 }' } }, output: { as: '$steps.first + .' } }
      """
    When the workflow is executed
    And the events come:
      | type | data |
      | t    | 1    |
      | t    | 2    |
      | t    | 3    |
      | t    | 4    |
    Then the workflow should complete with output [ 1, 2, 3, 4 ]

  @durable
  Scenario: events that came before go to those who listen in the order in which they came
    Given a workflow with definition:
      """yaml
      do:
        - pause: { wait: { milliseconds: 900 } }
        - hear: { listen: { to: { all: [ { with: { type: a } }, { with: { type: b } } ] } } }
        - again: { listen: { to: { one: { with: { type: a } } } }, output: { as: '$steps.hear + .' } }
      """
    And the event has come before:
      """yaml
      { type: b, data: b1 }
      """
    And the event has come before:
      """yaml
      { type: a, data: a1 }
      """
    And the event has come before:
      """yaml
      { type: a, data: a2 }
      """
    When the workflow is executed
    Then the workflow should complete with output [ b1, a1, a2 ]

  @durable @section:correlation
  Scenario: the first event of any decides the correlation of those after it
    Given a workflow with definition:
      """yaml
      do:
        - hear:
            listen:
              to:
                any: [ { with: { type: t }, correlate: { room: { from: .room } } } ]
                until: '${ length == 2 }'
      """
    When the workflow is executed
    And the events come:
      | type | room | data |
      | t    | a    | 1    |
      | t    | b    | 2    |
      | t    | a    | 3    |
    Then the workflow should complete with output [ 1, 3 ]

  @durable @section:for
  Scenario: a loop listens in each iteration
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: '[ "a", "b" ]' }
            do: [ { hear: { listen: { to: { one: { with: { type: '${ $item }' } } } }, output: { as: '$input + .' } } } ]
      """
    And the workflow input is []
    When the workflow is executed
    And the events come:
      | type | data |
      | b    | b1   |
      | a    | a1   |
    Then the workflow should complete with output [ a1, b1 ]

  @durable @section:flow-directive
  Scenario: a jump back listens again
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { one: { with: { type: t } } } }, export: { as: '($context | arrays // []) + $output' } }
        - more: { switch: [ { again: { when: '($context | length) < 3', then: hear } } ] }
        - done: { set: '${ $context }' }
      """
    When the workflow is executed
    And the events come:
      | type | data |
      | t    | 1    |
      | t    | 2    |
      | t    | 3    |
    Then the workflow should complete with output [ 1, 2, 3 ]

  @durable @section:flow-directive @section:subscription-iterator
  Scenario: end in foreach ends the workflow
    Given a workflow with definition:
      """yaml
      do:
        - hear:
            listen: { to: { any: [ { with: { type: t } } ], until: '${ false }' } }
            foreach: { do: [ { stop: { if: '$item == 2', set: '"stopped"', then: end } } ] }
        - last: { set: { got: '${ . }' } }
      """
    When the workflow is executed
    And the events come:
      | type | data |
      | t    | 1    |
      | t    | 2    |
    Then the workflow should complete with output stopped

  @durable @section:timeout @section:subscription-iterator @section:export
  Scenario: exports of foreach before a timeout are kept
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - hear:
                  timeout: { after: { seconds: 8 } }
                  listen: { to: { any: [ { with: { type: t } } ], until: '${ false }' } }
                  foreach: { do: [ { keep: { set: '${ $item }' } } ], export: { as: '($context.got // []) + [$output] | { got: . }' } }
            catch: { do: [ { report: { set: '${ $context }' } } ] }
      """
    When the workflow is executed
    And the events come:
      | type | data |
      | t    | 1    |
      | t    | 2    |
    Then the workflow should complete with output { got: [ 1, 2 ] }

  @durable @section:event-filter
  Scenario: a filter may ask for what an earlier event said
    Given a workflow with definition:
      """yaml
      do:
        - first: { listen: { to: { one: { with: { type: placed } } } }, output: { as: '.[0]' } }
        - second: { listen: { to: { one: { with: { type: paid, data: '${ .order == $input.order }' } } } } }
      """
    When the workflow is executed
    And the events come:
      | type   | data                  |
      | paid   | { order: 1, n: one }  |
      | placed | { order: 2 }          |
      | paid   | { order: 2, n: two }  |
    Then the workflow should complete with output [ { order: 2, n: two } ]

  @durable @section:fork
  Scenario: a listener that lost a race takes nothing any more
    Given a workflow with definition:
      """yaml
      do:
        - race:
            fork:
              compete: true
              branches:
                - a: { listen: { to: { one: { with: { type: a } } } } }
                - b: { listen: { to: { one: { with: { type: b } } } } }
        - then: { listen: { to: { one: { with: { type: b } } } }, output: { as: '$steps.race + .' } }
      """
    When the workflow is executed
    And the events come:
      | type | data |
      | a    | a1   |
      | b    | b1   |
    Then the workflow should complete with output [ a1, b1 ]

  @durable @section:subscription-iterator @section:flow-directive
  Scenario: exit in foreach ends the work on that event, not the listening
    Given a workflow with definition:
      """yaml
      do:
        - hear:
            listen: { to: { any: [ { with: { type: t } } ], until: '${ length == 3 }' } }
            foreach:
              do:
                - leave: { if: '$item == 2', set: { left: true }, then: exit }
                - mark: { set: { got: '${ $item }' } }
      """
    When the workflow is executed
    And the events come:
      | type | data |
      | t    | 1    |
      | t    | 2    |
      | t    | 3    |
    Then the workflow should complete with output [ { got: 1 }, { left: true }, { got: 3 } ]

  Scenario: a kept event goes to one listener, a new event to all
    Given a workflow with definition:
      """yaml
      do:
        - pause: { wait: PT1M }
        - both:
            fork:
              compete: true
              branches:
                - one: { listen: { to: { one: { with: { type: kept } } } } }
                - never: { do: [ { two: { listen: { to: { one: { with: { type: kept } } } } } }, { slower: { wait: PT1H } } ] }
        - again: { timeout: { after: PT1M }, listen: { to: { one: { with: { type: kept } } } } }
      """
    And the event has come before:
      """yaml
      { type: kept, data: 1 }
      """
    When the workflow is executed
    Then the workflow should fault with the timeout error at /do/2/again

  Scenario: raw data that came in base 64 stays so
    Given a workflow with definition:
      """yaml
      do:
        - hear: { listen: { to: { any: [ { with: { type: t } } ], until: '${ length == 2 }' }, read: raw } }
      """
    When the workflow is executed
    And the events come:
      | type | data  | data_base64 |
      | t    |       | aGVsbG8=    |
      | t    | hello |             |
    Then the workflow should complete with output [ aGVsbG8=, hello ]

  @section:correlation
  Scenario: an event without the value decides no correlation
    Given a workflow with definition:
      """yaml
      do:
        - hear:
            listen:
              to:
                all:
                  - { with: { type: temperature }, correlate: { room: { from: .roomid } } }
                  - { with: { type: humidity }, correlate: { room: { from: .roomid } } }
      """
    When the workflow is executed
    And the events come:
      | type        | roomid  | data |
      | temperature |         | 1    |
      | humidity    |         | 2    |
      | humidity    | kitchen | 3    |
      | temperature | kitchen | 4    |
    Then the workflow should complete with output [ 3, 4 ]
