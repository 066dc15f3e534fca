@section:emit @section:event-properties
Feature: Emit
  Events that a workflow publishes.

  Scenario: an event is published with what every event has
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: shop, name: sell, version: '1.2.3' }
      do:
        - report: { emit: { event: { with: { source: 'https://shop.test', type: shop.sold.v1, data: { id: '${ .id }' } } } } }
      """
    And the workflow input is { id: 7 }
    When the workflow is executed
    Then the workflow should complete
    And the events emitted should be:
      """yaml
      - specversion: '1.0'
        source: https://shop.test
        type: shop.sold.v1
        time: '2030-01-02T03:04:05.678Z'
        datacontenttype: application/json
        data: { id: 7 }
      """

  Scenario: what the author gives wins over what is filled in, and other attributes are kept
    Given a workflow with definition:
      """yaml
      do:
        - report:
            emit:
              event:
                with:
                  id: ${ "order-\(.id)" }
                  source: https://shop.test
                  type: shop.sold.v1
                  time: '2029-12-31T23:59:59Z'
                  subject: ${ .id }
                  dataschema: https://shop.test/schema
                  roomid: 12
      """
    And the workflow input is { id: '7' }
    When the workflow is executed
    Then the events emitted should be:
      """yaml
      - { id: order-7, time: '2029-12-31T23:59:59Z', subject: '7', dataschema: 'https://shop.test/schema', roomid: 12 }
      """

  Scenario: the output of emit is the event
    Given a workflow with definition:
      """yaml
      do:
        - report: { emit: { event: { with: { source: 'https://shop.test', type: shop.sold.v1, data: sold } } } }
      output: { as: { type: '${ .type }', data: '${ .data }', id: '${ .id | type }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { type: shop.sold.v1, data: sold, id: string }

  Scenario: events come in the order in which they are emitted, each with an id of its own
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: '[ 1, 2 ]' }
            do: [ { report: { emit: { event: { with: { source: 'https://s.test', type: t.v1, data: '${ $item }' } } }, output: { as: .id } } } ]
        - first: { set: { last: '${ . }' } }
      """
    When the workflow is executed
    Then the workflow should complete
    And the events emitted should be:
      """yaml
      - { data: 1 }
      - { data: 2 }
      """
    And the events emitted should have ids that differ

  Scenario Outline: what is no event is a validation error (<attributes>)
    Given a workflow with definition:
      """yaml
      do:
        - report: { emit: { event: { with: { source: 'https://s.test', type: t.v1, <attributes> } } } }
      """
    And the workflow input is { when: yesterday, missing: '', list: [ 1 ] }
    When the workflow is executed
    Then the workflow should fault with the validation error at /do/0/report
    And no event should have been emitted

    Examples:
      | attributes           |
      | time: '${ .when }'   |
      | subject: '${ .missing }' |
      | extra: '${ .list }'  |

  Scenario: an event without a type is an error before anything runs
    Given a workflow with definition:
      """yaml
      do:
        - report: { emit: { event: { with: { source: 'https://s.test' } } } }
      """
    Then the definition should be invalid: missing_property at /do/0/report/emit/event/with

  @section:listen
  Scenario: a workflow hears what it emits itself
    Given a workflow with definition:
      """yaml
      do:
        - report: { emit: { event: { with: { source: 'https://s.test', type: t.v1, data: { n: 1 } } } } }
        - hear: { listen: { to: { one: { with: { type: t.v1 } } } } }
      """
    When the workflow is executed
    Then the workflow should complete with output [ { n: 1 } ]

  @section:raise
  Scenario: an event that was emitted before a fault was emitted
    Given a workflow with definition:
      """yaml
      do:
        - report: { emit: { event: { with: { source: 'https://s.test', type: t.v1 } } } }
        - fail: { raise: { error: { type: 'https://x.test/e', status: 500 } } }
      """
    When the workflow is executed
    Then the workflow should fault
    And the events emitted should be:
      """yaml
      - { type: t.v1 }
      """

  Scenario: attributes that are null are left out
    Given a workflow with definition:
      """yaml
      do:
        - report: { emit: { event: { with: { source: 'https://s.test', type: t.v1, subject: '${ .subject }' } } }, output: { as: 'has("subject")' } }
      """
    When the workflow is executed
    Then the workflow should complete with output false

  Scenario: what is left out of the source is the workflow
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: shop, name: sell, version: '1.2.3' }
      do:
        - report: { emit: { event: { with: { source: '${ null }', type: t.v1 } } }, output: { as: .source } }
      """
    When the workflow is executed
    Then the workflow should complete with output /shop/sell/1.2.3

  @section:use
  Scenario: an event contains no secret
    Given a workflow with definition:
      """yaml
      use: { secrets: [ key ] }
      do:
        - report: { emit: { event: { with: { source: 'https://s.test', type: t.v1, data: { key: '${ "is \($secrets.key)" }' } } } } }
      """
    And the secret key is a-long-secret
    When the workflow is executed
    Then the events of type t.v1 should have the data [ { key: 'is ***' } ]
