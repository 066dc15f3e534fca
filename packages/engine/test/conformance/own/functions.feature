@section:call
Feature: Functions
  Tasks that are called by a name: of the definition, of a catalog, at an address, of the installation.

  @section:use @section:task
  Scenario: a function of the definition gets its arguments as its input
    Given a workflow with definition:
      """yaml
      use:
        functions:
          double:
            input: { schema: { document: { required: [ n ] } }, from: .n }
            set: { twice: '${ . * 2 }', dot: '${ $input }' }
            output: { as: '. + { done: true }' }
      do:
        - call: { call: double, with: { n: '${ .amount }' }, output: { as: '. + { raw: $input.amount }' } }
      """
    And the workflow input is { amount: 21 }
    When the workflow is executed
    Then the workflow should complete with output { twice: 42, dot: 21, done: true, raw: 21 }

  @section:use
  Scenario: without arguments a function gets an empty object
    Given a workflow with definition:
      """yaml
      use: { functions: { look: { set: { got: '${ . }' } } } }
      do:
        - call: { call: look }
      """
    And the workflow input is { n: 1 }
    When the workflow is executed
    Then the workflow should complete with output { got: {} }

  @section:use @section:schema
  Scenario: invalid arguments without expressions are reported before the workflow runs
    Given a workflow with definition:
      """yaml
      use: { functions: { double: { input: { schema: { document: { properties: { n: { type: integer } } } } }, set: { x: 1 } } } }
      do:
        - call: { call: double, with: { n: two } }
      """
    Then the definition should be invalid: invalid_argument at /do/0/call/with/n

  @section:use @section:schema
  Scenario: arguments that do not fit once they are known are a validation error
    Given a workflow with definition:
      """yaml
      use: { functions: { double: { input: { schema: { document: { properties: { n: { type: integer } } } } }, set: { x: 1 } } } }
      do:
        - call: { call: double, with: { n: '${ .n }' } }
      """
    And the workflow input is { n: two }
    When the workflow is executed
    Then the workflow should fault
    And the detail of the error should contain /n

  @section:use
  Scenario: a function sees neither the steps nor the items around its call
    Given a workflow with definition:
      """yaml
      use: { functions: { look: { set: { x: '${ $item }' } } } }
      do:
        - loop: { for: { in: '[ 1 ]' }, do: [ { call: { call: look } } ] }
      """
    Then the definition should be invalid: undefined_variable at /use/functions/look/set/x

  @section:use
  Scenario: functions may call functions, but not themselves
    Given a workflow with definition:
      """yaml
      use:
        functions:
          one: { call: two }
          two: { do: [ { back: { call: one } } ] }
      do:
        - call: { call: one }
      """
    Then the definition should be invalid: recursive_function at /use/functions/two/do/0/back/call

  @section:use
  Scenario: an unknown function is an error before anything runs
    Given a workflow with definition:
      """yaml
      do:
        - call: { call: unknownFunction }
      """
    Then the definition should be invalid: unknown_function at /do/0/call/call

  @section:catalog
  Scenario: a function of a catalog
    Given a workflow with definition:
      """yaml
      use: { catalogs: { ours: { endpoint: { uri: 'https://catalog.test/root' } } } }
      do:
        - greet: { call: 'greet:1.2.0@ours', with: { name: '${ .name }' } }
      """
    And at https://catalog.test/root/functions/greet/1.2.0/function.yaml there is:
      """yaml
      set: { greeting: '${ "Hello \(.name)" }' }
      """
    And the workflow input is { name: Milou }
    When the workflow is executed
    Then the workflow should complete with output { greeting: Hello Milou }

  @section:catalog
  Scenario: a catalog in a repository is read as its raw documents
    Given a workflow with definition:
      """yaml
      use: { catalogs: { ours: { endpoint: 'https://github.com/serverlessworkflow/catalog/tree/main' } } }
      do:
        - log: { call: 'log:1.0.0@ours', with: { message: hello } }
      """
    And at https://raw.githubusercontent.com/serverlessworkflow/catalog/refs/heads/main/functions/log/1.0.0/function.yaml there is:
      """yaml
      set: { logged: '${ .message }' }
      """
    When the workflow is executed
    Then the workflow should complete with output { logged: hello }

  @section:catalog
  Scenario: a catalog that is called default takes the place of the installation's
    Given a workflow with definition:
      """yaml
      use: { catalogs: { default: { endpoint: 'https://catalog.test' } } }
      do:
        - greet: { call: 'greet:1.0.0@default', with: { name: x } }
      """
    And the installation has the function:
      """yaml
      name: greet
      """
    And at https://catalog.test/functions/greet/1.0.0/function.yaml there is:
      """yaml
      set: { from: catalog }
      """
    When the workflow is executed
    Then the workflow should complete with output { from: catalog }

  @section:catalog
  Scenario: a function at an address
    Given a workflow with definition:
      """yaml
      do:
        - greet: { call: 'https://functions.test/greet.yaml', with: { name: Milou } }
      """
    And at https://functions.test/greet.yaml there is:
      """yaml
      input: { schema: { document: { required: [ name ] } } }
      do:
        - build: { set: { greeting: '${ "Hello \(.name)" }' } }
      """
    When the workflow is executed
    Then the workflow should complete with output { greeting: Hello Milou }

  @section:catalog @section:use
  Scenario: a function from elsewhere sees no secrets
    Given a workflow with definition:
      """yaml
      use: { secrets: [ key ] }
      do:
        - take: { call: 'https://functions.test/take.yaml' }
      """
    And the secret key is a-long-secret
    And at https://functions.test/take.yaml there is:
      """yaml
      set: { secrets: '${ $secrets }' }
      """
    When the workflow is executed
    Then the workflow should complete with output { secrets: {} }

  @section:catalog
  Scenario Outline: what was not fetched keeps the definition from being run (<call>)
    Given a workflow with definition:
      """yaml
      use: { catalogs: { ours: { endpoint: 'https://catalog.test' } } }
      do:
        - greet: { call: '<call>' }
      """
    Then the definition should be valid, but refused here at /do/0/greet/call

    Examples:
      | call                              |
      | greet:1.0.0@ours                  |
      | https://functions.test/greet.yaml |

  @section:catalog
  Scenario Outline: a function of the default catalog is found by its name, and by its version (<call>)
    Given a workflow with definition:
      """yaml
      do:
        - greet: { call: '<call>', with: { name: '${ .name }' } }
      """
    And the workflow input is { name: Milou }
    And the installation has the function:
      """yaml
      name: greet
      version: 1.0.0
      input: { properties: { name: { type: string } }, required: [ name ] }
      """
    When the workflow is executed
    Then the workflow should complete with output { name: Milou }

    Examples:
      | call                |
      | greet               |
      | greet:1.0.0         |
      | greet:1.0.0@default |

  @section:catalog @section:schema
  Scenario: what a function of the default catalog is called with is checked
    Given a workflow with definition:
      """yaml
      do:
        - greet: { call: greet, with: { name: '${ .name }' } }
      """
    And the installation has the function:
      """yaml
      name: greet
      input: { properties: { name: { type: string } }, required: [ name ] }
      """
    And the workflow input is { name: 7 }
    When the workflow is executed
    Then the workflow should fault with the validation error at /do/0/greet

  @section:catalog @durable
  Scenario: a waiting function continues with the reply
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: sign, with: { question: 'May we?' } }
        - report: { set: { signed: '${ .by }' } }
      """
    And the installation has the function:
      """yaml
      name: sign
      performs: waiting
      """
    When the workflow is executed
    And the sign that it waits for is answered with { by: ann }
    Then the workflow should complete with output { signed: ann }

  @section:catalog @section:timeout
  Scenario: a function that waits can be out of time
    Given a workflow with definition:
      """yaml
      do:
        - ask: { timeout: { after: P2D }, call: sign }
      """
    And the installation has the function:
      """yaml
      name: sign
      performs: waiting
      """
    When the workflow is executed
    Then the workflow should fault with the timeout error at /do/0/ask
    And it should have taken P2D

  @section:catalog
  Scenario: the waiting caller gets the reply, and the workflow continues
    Given a workflow with definition:
      """yaml
      do:
        - answer: { call: respond, with: { body: { accepted: '${ .id }' } } }
        - work: { wait: PT1H }
        - done: { set: { worked: true } }
      """
    And the installation has the function:
      """yaml
      name: respond
      performs: answer
      """
    And the workflow input is { id: 7 }
    When the workflow is executed
    Then the workflow should complete with output { worked: true }
    And the workflow should have answered { accepted: 7 }

  @section:asyncapi-call @section:asyncapi-server @section:asyncapi-outbound-message @section:asyncapi-inbound-message
  Scenario: AsyncAPI cannot be called here
    Given a workflow with definition:
      """yaml
      do:
        - publish:
            call: asyncapi
            with:
              document: { endpoint: 'https://fake.com/docs/asyncapi.json' }
              operation: greet
              server: { name: greetingsServer, variables: { environment: dev } }
              message: { payload: { greetings: 'Hello, World!' }, headers: { foo: bar } }
      """
    Then the definition should be valid, but refused here at /do/0/publish/call

  @section:asyncapi-call @section:asyncapi-subscription @section:asyncapi-subscription-lifetime @section:subscription-iterator
  Scenario: nor can a subscription
    Given a workflow with definition:
      """yaml
      do:
        - hear:
            call: asyncapi
            with:
              document: { endpoint: 'https://fake.com/docs/asyncapi.json' }
              operation: chat-inbox
              subscription: { filter: '${ true }', consume: { amount: 5, for: { seconds: 10 } }, foreach: { do: [ { a: { set: { x: 1 } } } ] } }
      """
    Then the definition should be valid, but refused here at /do/0/hear/call

  @section:grpc-call
  Scenario: gRPC cannot be called here
    Given a workflow with definition:
      """yaml
      do:
        - greet:
            call: grpc
            with: { proto: { endpoint: 'file://app/greet.proto' }, service: { name: Greeter, host: localhost, port: 5011 }, method: SayHello }
      """
    Then the definition should be valid, but refused here at /do/0/greet/call

  @section:a2a-call
  Scenario: A2A cannot be called here
    Given a workflow with definition:
      """yaml
      do:
        - report: { call: a2a, with: { method: message/send, server: 'https://example.com', parameters: { message: { parts: [] } } } }
      """
    Then the definition should be valid, but refused here at /do/0/report/call

  @durable @section:catalog
  Scenario: the answer comes before the end
    Given a workflow with definition:
      """yaml
      do:
        - pause: { wait: { milliseconds: 1200 } }
        - answer: { call: respond, with: { body: { accepted: true } } }
        - work: { wait: { milliseconds: 300 } }
      """
    And the installation has the function:
      """yaml
      name: respond
      performs: answer
      """
    When the workflow is executed
    Then the workflow should have answered { accepted: true }

  @section:use @section:error
  Scenario: an error in a function has its position in the function
    Given a workflow with definition:
      """yaml
      use: { functions: { ask: { do: [ { fail: { raise: { error: { type: 'https://x.test/e', status: 400 } } } } ] } } }
      do:
        - call: { call: ask }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      instance: /use/functions/ask/do/0/fail
      """
