@section:input @section:output
Feature: Data flow
  What a workflow and its tasks take, give and keep.

  Scenario: the first task gets the transformed input of the workflow
    Given a workflow with definition:
      """yaml
      input:
        from: .order
      do:
        - look:
            set:
              got: ${ . }
              raw: ${ $workflow.input }
      """
    And the workflow input is { order: { pet: milou } }
    When the workflow is executed
    Then the workflow should complete with output { got: { pet: milou }, raw: { order: { pet: milou } } }

  Scenario: input.from may be an object whose strings are expressions
    Given a workflow with definition:
      """yaml
      input:
        from:
          id: ${ .order.id }
          kind: order
          lines: [ '${ .order.lines[0] }' ]
      do:
        - look: { set: '${ . }' }
      """
    And the workflow input is { order: { id: 7, lines: [ a, b ] } }
    When the workflow is executed
    Then the workflow should complete with output { id: 7, kind: order, lines: [ a ] }

  Scenario: the input of a task is transformed for that task alone
    Given a workflow with definition:
      """yaml
      do:
        - first:
            input:
              from: .pet
            set:
              here: ${ . }
              raw: ${ $task.input }
              transformed: ${ $input }
      """
    And the workflow input is { pet: milou }
    When the workflow is executed
    Then the workflow should complete with output { here: milou, raw: { pet: milou }, transformed: milou }

  Scenario: the transformed output of a task is the raw input of the next
    Given a workflow with definition:
      """yaml
      do:
        - first:
            set: { pets: [ milou, rex ], noise: true }
            output:
              as: .pets
        - second:
            set:
              count: ${ length }
              first: ${ .[0] }
      """
    When the workflow is executed
    Then the workflow should complete with output { count: 2, first: milou }

  Scenario: output.as sees the raw output as its dot, and the transformed input as $input
    Given a workflow with definition:
      """yaml
      do:
        - price:
            input:
              from: { amount: '${ .net }' }
            set: { tax: 19 }
            output:
              as: { tax: '${ .tax }', net: '${ $input.amount }', raw: '${ $task.input.net }' }
      """
    And the workflow input is { net: 100 }
    When the workflow is executed
    Then the workflow should complete with output { tax: 19, net: 100, raw: 100 }

  Scenario: the output of the workflow is transformed at the end
    Given a workflow with definition:
      """yaml
      do:
        - first: { set: { id: 1, secretish: x }, export: { as: '{ kept: .id }' } }
      output:
        as:
          id: ${ .id }
          kept: ${ $context.kept }
      """
    When the workflow is executed
    Then the workflow should complete with output { id: 1, kept: 1 }

  Scenario: a workflow without input gets an empty object
    Given a workflow with definition:
      """yaml
      do:
        - look: { set: { type: '${ type }', empty: '${ . == {} }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { type: object, empty: true }

  Scenario: an expression that gives nothing gives null, and of several outputs the first counts
    Given a workflow with definition:
      """yaml
      do:
        - look: { set: { nothing: '${ empty }', first: '${ .list[] }' } }
      """
    And the workflow input is { list: [ 3, 4 ] }
    When the workflow is executed
    Then the workflow should complete with output { nothing: null, first: 3 }

  @section:set
  Scenario: set replaces the data, it does not merge
    Given a workflow with definition:
      """yaml
      do:
        - first: { set: { a: 1 } }
        - second: { set: { b: 2 } }
      """
    When the workflow is executed
    Then the workflow should complete with output { b: 2 }

  @section:set
  Scenario: set may be one expression, whatever it gives
    Given a workflow with definition:
      """yaml
      do:
        - first: { set: '${ .list | map(. * 2) }' }
      """
    And the workflow input is { list: [ 1, 2 ] }
    When the workflow is executed
    Then the workflow should complete with output [ 2, 4 ]

  @section:set
  Scenario: a string with an expression inside other text does not change
    Given a workflow with definition:
      """yaml
      do:
        - first: { set: { greeting: 'Hello ${ .name }', whole: '${ "Hello \(.name)" }' } }
      """
    And the workflow input is { name: Milou }
    When the workflow is executed
    Then the workflow should complete with output { greeting: 'Hello ${ .name }', whole: Hello Milou }
    And the definition should be warned of: embedded_expression at /do/0/first/set/greeting

  @section:set
  Scenario: data is never evaluated, whatever it looks like
    Given a workflow with definition:
      """yaml
      do:
        - first: { set: { copied: '${ .text }' } }
        - second: { set: '${ . }' }
      """
    And the workflow input is { text: '${ $workflow.id }' }
    When the workflow is executed
    Then the workflow should complete with output { copied: '${ $workflow.id }' }

  @section:schema
  Scenario Outline: the raw input of a workflow is checked by its schema (<input>)
    Given a workflow with definition:
      """yaml
      input:
        schema:
          format: json
          document:
            type: object
            required: [ id ]
            properties: { id: { type: integer, minimum: 1 } }
        from: .id
      do:
        - look: { set: { id: '${ . }' } }
      """
    And the workflow input is <input>
    When the workflow is executed
    Then <result>

    Examples:
      | input       | result                                                             |
      | { id: 1 }   | the workflow should complete with output { id: 1 }                 |
      | { id: 0 }   | the workflow should fault with the validation error at /input      |
      | { id: one } | the workflow should fault with the validation error at /input      |
      | {}          | the workflow should fault with the validation error at /input      |

  @section:schema
  Scenario: the raw input of a task is checked before it is transformed
    Given a workflow with definition:
      """yaml
      do:
        - look:
            input:
              schema: { document: { type: object, required: [ pet ] } }
              from: .pet
            set: { pet: '${ . }' }
      """
    And the workflow input is { cat: tom }
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/validation
      status: 400
      instance: /do/0/look
      """
    And look should not have run

  @section:schema
  Scenario: the output of a task is checked after it was transformed
    Given a workflow with definition:
      """yaml
      do:
        - give:
            set: { id: '7' }
            output:
              as: '{ id: (.id | tonumber) }'
              schema: { document: { properties: { id: { type: integer } } } }
        - spoil:
            set: { id: '7' }
            output:
              schema: { document: { properties: { id: { type: integer } } } }
      """
    When the workflow is executed
    Then the workflow should fault with the validation error at /do/1/spoil
    And the detail of the error should contain /id
    And give should have completed, in this order

  @section:schema
  Scenario: the output of the workflow is checked as well
    Given a workflow with definition:
      """yaml
      do:
        - give: { set: { a: 1 } }
      output:
        as: { b: '${ .a }' }
        schema: { document: { required: [ a ] } }
      """
    When the workflow is executed
    Then the workflow should fault with the validation error at /output

  @section:schema @section:external-resource
  Scenario: a schema may be at another place
    Given a workflow with definition:
      """yaml
      input:
        schema:
          format: json
          resource: { endpoint: 'https://schemas.test/order.json' }
      do:
        - look: { set: { fine: true } }
      """
    And at https://schemas.test/order.json there is:
      """yaml
      type: object
      required: [ orderId ]
      """
    And the workflow input is { id: 1 }
    When the workflow is executed
    Then the workflow should fault with the validation error at /input
    And the detail of the error should contain orderId

  @section:schema
  Scenario: a schema that was not fetched keeps the definition from being run
    Given a workflow with definition:
      """yaml
      input:
        schema: { resource: { endpoint: 'https://schemas.test/order.json' } }
      do:
        - look: { set: { fine: true } }
      """
    Then the definition should be valid, but refused here at /input/schema/resource

  @section:schema
  Scenario: only JSON Schema is known here
    Given a workflow with definition:
      """yaml
      input:
        schema: { format: avro, document: { type: record } }
      do:
        - look: { set: { fine: true } }
      """
    Then the definition should be valid, but refused here at /input/schema/format

  @section:schema
  Scenario: a schema whose pattern could run without end is refused
    Given a workflow with definition:
      """yaml
      do:
        - look:
            input: { schema: { document: { type: string, pattern: '^(?=a)b$' } } }
            set: { fine: true }
      """
    Then the definition should be valid, but refused here at /do/0/look/input/schema/document/pattern

  @section:export
  Scenario: the context begins as the transformed input of the workflow
    Given a workflow with definition:
      """yaml
      input: { from: .order }
      do:
        - first: { set: { gone: true } }
        - look: { set: '${ $context }' }
      """
    And the workflow input is { order: { id: 1 } }
    When the workflow is executed
    Then the workflow should complete with output { id: 1 }

  @section:export
  Scenario: what a task exports replaces the context
    Given a workflow with definition:
      """yaml
      do:
        - first: { set: { a: 1 }, export: { as: . } }
        - second: { set: { b: 2 }, export: { as: '{ only: .b }' } }
        - look: { set: '${ $context }' }
      """
    When the workflow is executed
    Then the workflow should complete with output { only: 2 }

  @section:export
  Scenario: a task merges into the context by naming it
    Given a workflow with definition:
      """yaml
      input: { from: '{}' }
      do:
        - first: { set: { a: 1 }, export: { as: '$context + .' } }
        - second: { set: { b: 2 }, export: { as: '$context + .' } }
        - look: { set: '${ $context }' }
      """
    When the workflow is executed
    Then the workflow should complete with output { a: 1, b: 2 }

  @section:export
  Scenario: export.as sees the transformed output, the raw one and the input
    Given a workflow with definition:
      """yaml
      do:
        - first:
            input: { from: .n }
            set: { n: 5, m: 6 }
            output: { as: .n }
            export:
              as: { dot: '${ . }', output: '${ $output }', raw: '${ $task.output }', input: '${ $input }' }
        - look: { set: '${ $context }' }
      """
    And the workflow input is { n: 4 }
    When the workflow is executed
    Then the workflow should complete with output { dot: 5, output: 5, raw: { n: 5, m: 6 }, input: 4 }

  @section:export
  Scenario: exporting leaves what flows to the next task alone
    Given a workflow with definition:
      """yaml
      do:
        - first: { set: { a: 1 }, export: { as: '"kept"' } }
        - look: { set: { dot: '${ . }', context: '${ $context }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { dot: { a: 1 }, context: kept }

  @section:export @section:schema
  Scenario: a context that does not fit its schema faults the task, and can be caught
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - first:
                  set: { a: 1 }
                  export:
                    as: '{ a: "one" }'
                    schema: { document: { properties: { a: { type: integer } } } }
            catch:
              as: error
              do:
                - report: { set: { type: '${ $error.type | split("/")[-1] }', at: '${ $error.instance }', context: '${ $context }' } }
      """
    And the workflow input is { before: true }
    When the workflow is executed
    Then the workflow should complete with output { type: validation, at: /do/0/guard/try/0/first, context: { before: true } }

  @section:export
  Scenario: what tasks inside of others export is kept
    Given a workflow with definition:
      """yaml
      input: { from: '{}' }
      do:
        - outer:
            do:
              - inner: { set: { a: 1 }, export: { as: '{ a: .a }' } }
        - loop:
            for: { in: '[ 1, 2, 3 ]' }
            do:
              - sum: { set: '${ $item }', export: { as: '$context + { total: (($context.total // 0) + .) }' } }
        - look: { set: '${ $context }' }
      """
    When the workflow is executed
    Then the workflow should complete with output { a: 1, total: 6 }

  @section:set
  Scenario: set evaluates expressions wherever they stand in the data
    Given a workflow with definition:
      """yaml
      do:
        - set: { set: { n: 1, list: [ '${ .x }', { y: '${ .x }' } ], none: null } }
      """
    And the workflow input is { x: 5 }
    When the workflow is executed
    Then the workflow should complete with output { n: 1, list: [ 5, { y: 5 } ], none: null }

  @section:set
  Scenario: null is data like any other
    Given a workflow with definition:
      """yaml
      do:
        - set: { set: '${ null }' }
        - next: { set: { was: '${ . }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { was: null }
