@section:http-call @section:call
Feature: Calls over HTTP
  HTTP requests, their responses, and the output of the task.

  Scenario: a request goes out as it is written
    Given a workflow with definition:
      """yaml
      do:
        - order:
            call: http
            with:
              method: post
              endpoint: https://api.test/orders
              headers: { x-team: '${ .team }' }
              query: { urgent: '${ .urgent }' }
              body: { lines: '${ .lines }', note: as written }
      """
    And the workflow input is { team: pets, urgent: 'yes', lines: [ 1, 2 ] }
    And the service answers POST https://api.test/orders with { id: 1 }
    When the workflow is executed
    Then the workflow should complete with output { id: 1 }
    And POST https://api.test/orders should have been asked for with:
      """yaml
      headers: { x-team: pets, content-type: application/json }
      query: { urgent: 'yes' }
      body: { lines: [ 1, 2 ], note: as written }
      """

  Scenario: headers and query may each be one expression
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            call: http
            with: { method: get, endpoint: 'https://api.test/', headers: '${ .headers }', query: '${ .query }' }
      """
    And the workflow input is { headers: { x-a: b }, query: { c: d } }
    And the service answers GET https://api.test/
    When the workflow is executed
    Then GET https://api.test/ should have been asked for with:
      """yaml
      headers: { x-a: b }
      query: { c: d }
      """

  Scenario Outline: every method goes out (<method>)
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: <method>, endpoint: 'https://api.test/x' } }
      """
    And the service answers <sent> https://api.test/x with { fine: true }
    When the workflow is executed
    Then the workflow should complete with output { fine: true }

    Examples:
      | method | sent   |
      | get    | GET    |
      | POST   | POST   |
      | put    | PUT    |
      | Patch  | PATCH  |
      | delete | DELETE |

  @section:uri-template @section:endpoint
  Scenario Outline: an address may be a template of the task's input (<template>)
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            input: { from: .pet }
            call: http
            with: { method: get, endpoint: <template> }
      """
    And the workflow input is { pet: { id: 7, 'pet.id': verbatim, name: 'Milou & co', none: null } }
    And the service answers GET <address> with { found: true }
    When the workflow is executed
    Then the workflow should complete with output { found: true }

    Examples:
      | template                                   | address                           |
      | 'https://api.test/pets/{id}'               | https://api.test/pets/7           |
      | { uri: 'https://api.test/pets/{id}' }      | https://api.test/pets/7           |
      | 'https://api.test/pets/{pet.id}'           | https://api.test/pets/verbatim    |
      | 'https://api.test/pets/{name}'             | https://api.test/pets/Milou%20%26%20co |
      | '${ "https://api.test/pets/\(.id)" }'      | https://api.test/pets/7           |
      | { uri: '${ "https://api.test/\(.id)" }' }  | https://api.test/7                |

  @section:uri-template
  Scenario Outline: what is no text, number or boolean cannot be put into an address (<value>)
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, endpoint: 'https://api.test/{value}' } }
      """
    And the workflow input is { value: <value> }
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/expression
      status: 400
      """

    Examples:
      | value    |
      | { a: 1 } |
      | [ 1 ]    |

  @section:uri-template
  Scenario: an address that is not absolute is an error before anything runs
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, endpoint: /pets/1 } }
      """
    Then the definition should be invalid: invalid_uri at /do/0/ask/with/endpoint

  Scenario Outline: the media type decides how a response is read (<type>)
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, endpoint: 'https://api.test/x' } }
      """
    And the service answers GET https://api.test/x with:
      """yaml
      headers: { content-type: <type> }
      body: '{"a":1}'
      """
    When the workflow is executed
    Then the workflow should complete with output <output>

    Examples:
      | type                        | output    |
      | application/json            | { a: 1 }  |
      | application/problem+json    | { a: 1 }  |
      | text/plain                  | '{"a":1}' |
      | application/octet-stream    | eyJhIjoxfQ== |

  Scenario: raw gives the content in base 64
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, endpoint: 'https://api.test/x', output: raw } }
      """
    And the service answers GET https://api.test/x with { a: 1 }
    When the workflow is executed
    Then the workflow should complete with output eyJhIjoxfQ==

  @section:http-response @section:http-request
  Scenario: response gives the whole exchange
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, endpoint: 'https://api.test/{id}', headers: { x-a: b }, output: response } }
      """
    And the workflow input is { id: 7 }
    And the service answers GET https://api.test/7 with:
      """yaml
      status: 203
      headers: { x-served-by: us }
      body: { name: milou }
      """
    When the workflow is executed
    Then the workflow output should match:
      """yaml
      request: { method: get, uri: 'https://api.test/7', headers: { x-a: b } }
      statusCode: 203
      headers: { x-served-by: us }
      content: { name: milou }
      """

  Scenario Outline: redirect says whether a redirection is an error (<redirect>, <status>)
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, endpoint: 'https://api.test/old', redirect: <redirect>, output: response } }
      output: { as: .statusCode }
      """
    And the service answers GET https://api.test/old with:
      """yaml
      status: <status>
      headers: { location: /new }
      """
    And the service answers GET https://api.test/new with { new: true }
    When the workflow is executed
    Then <result>

    Examples:
      | redirect | status | result                                                     |
      | false    | 200    | the workflow should complete with output 200               |
      | false    | 302    | the workflow should fault with the communication error at /do/0/ask |
      | true     | 302    | the workflow should complete with output 200               |
      | true     | 304    | the workflow should complete with output 304               |
      | true     | 404    | the workflow should fault with the communication error at /do/0/ask |

  Scenario: a redirection is followed where it is no error
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, endpoint: 'https://api.test/old', redirect: true } }
      """
    And the service answers GET https://api.test/old with:
      """yaml
      status: 307
      headers: { location: /new }
      """
    And the service answers GET https://api.test/new with { new: true }
    When the workflow is executed
    Then the workflow should complete with output { new: true }

  @section:error @section:standard-error-types
  Scenario Outline: a status that is no success is a communication error with that status (<status>)
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, endpoint: 'https://api.test/x' } }
      """
    And the service answers GET https://api.test/x with:
      """yaml
      status: <status>
      body: { message: Not today. }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/communication
      status: <status>
      title: <title>
      instance: /do/0/ask
      """
    And the detail of the error should contain Not today.

    Examples:
      | status | title                 |
      | 400    | Bad Request           |
      | 401    | Unauthorized          |
      | 404    | Not Found             |
      | 500    | Internal Server Error |
      | 503    | Service Unavailable   |

  @section:error @section:standard-error-types
  Scenario: a host without a server is a communication error
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, endpoint: 'https://gone.test/x' } }
      """
    And no server is at gone.test
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/communication
      status: 503
      """

  Scenario: the key distinguishes a repeated request from a new one
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: '[ 1, 2 ]' }
            do: [ { ask: { call: http, with: { method: post, endpoint: 'https://api.test/x' } } } ]
      """
    And the service answers POST https://api.test/x
    When the workflow is executed
    Then the workflow should complete
    And the requests should have a header idempotency-key that differs

  @durable
  Scenario: what a service has answered is not asked for again
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: post, endpoint: 'https://api.test/x' } }
        - pause: { wait: { milliseconds: 1200 } }
        - report: { set: '${ $steps.ask + { reported: true } }' }
      """
    And the service answers POST https://api.test/x with { id: 1 }
    When the workflow is executed
    Then the workflow should complete with output { id: 1, reported: true }
    And POST https://api.test/x should have been asked for 1 time

  @durable @section:fork
  Scenario: services that are asked side by side
    Given a workflow with definition:
      """yaml
      do:
        - both:
            fork:
              branches:
                - one: { do: [ { ask1: { call: http, with: { method: get, endpoint: 'https://api.test/1' } } }, { pause: { wait: { milliseconds: 1000 } } }, { again: { call: http, with: { method: get, endpoint: 'https://api.test/3' } } } ] }
                - two: { call: http, with: { method: get, endpoint: 'https://api.test/2' } }
      """
    And the service answers GET https://api.test/1 with { n: 1 }
    And the service answers GET https://api.test/2 with { n: 2 }
    And the service answers GET https://api.test/3 with { n: 3 }
    When the workflow is executed
    Then the workflow should complete with output [ { n: 3 }, { n: 2 } ]
    And GET https://api.test/1 should have been asked for 1 time
    And GET https://api.test/2 should have been asked for 1 time

  Scenario: a body that is text goes out as it is
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: post, endpoint: 'https://api.test/x', body: hello } }
      """
    And the service answers POST https://api.test/x with { fine: true }
    When the workflow is executed
    Then the workflow should complete with output { fine: true }
    And POST https://api.test/x should have been asked for with:
      """yaml
      body: hello
      """

  @section:standard-error-types
  Scenario: an unknown method is a validation error
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: '${ .m }', endpoint: 'https://api.test/x' } }
      """
    And the workflow input is { m: FETCH }
    When the workflow is executed
    Then the workflow should fault with the validation error at /do/0/ask

  @section:uri-template
  Scenario: numbers and booleans may stand in an address
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, endpoint: 'https://api.test/{a}/{b}', query: { q: 'a b&c' } } }
      """
    And the workflow input is { a: true, b: 1.5 }
    And the service answers GET https://api.test/true/1.5 with { fine: true }
    When the workflow is executed
    Then the workflow should complete with output { fine: true }

  @section:use
  Scenario: a service receives a secret, and the journal does not contain the secret from its response
    Given a workflow with definition:
      """yaml
      use: { secrets: [ key ] }
      do:
        - ask: { call: http, with: { method: post, endpoint: 'https://api.test/x', body: { key: '${ $secrets.key }' }, headers: { x-key: '${ $secrets.key }' } } }
      """
    And the secret key is a-long-secret
    And the service answers POST https://api.test/x with { echoed: a-long-secret, other: fine }
    When the workflow is executed
    Then the workflow should complete with output { echoed: '***', other: fine }
    And POST https://api.test/x should have been asked for with:
      """yaml
      headers: { x-key: a-long-secret }
      body: { key: a-long-secret }
      """

  Scenario: a header that is null is not sent
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, endpoint: 'https://api.test/x', headers: '${ { "user-agent": null, "x-a": "b" } }' } }
      """
    And the service answers GET https://api.test/x with { fine: true }
    When the workflow is executed
    Then the workflow should complete with output { fine: true }
    And GET https://api.test/x should have been asked for with:
      """yaml
      headers: { x-a: b }
      """

  Scenario: a reply without content gives null
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: delete, endpoint: 'https://api.test/x' }, output: { as: '{ got: . }' } }
      """
    And the service answers DELETE https://api.test/x with status 204
    When the workflow is executed
    Then the workflow should complete with output { got: null }

  @section:authentication @section:standard-error-types
  Scenario: credentials in two places are a validation error
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: { uri: 'https://api.test/x', authentication: { bearer: { token: abc } } }
              headers: { authorization: Bearer def }
      """
    When the workflow is executed
    Then the workflow should fault with the validation error at /do/0/ask
    And GET https://api.test/x should have been asked for 0 times
