Feature: The official examples
  Each example that can run here is run, with what it calls and hears put in place.

  Scenario: accumulate-room-readings.yaml reads .data of the list of events
    Given the official example accumulate-room-readings.yaml
    When the workflow is executed
    And the events come:
      | type                        | source                      | roomid  | data |
      | my.home.sensors.temperature | https://my.home.com/sensor  | kitchen | { reading: 21 } |
      | my.home.sensors.humidity    | https://my.home.com/sensor  | bath    | { reading: 80 } |
      | my.home.sensors.humidity    | https://my.home.com/sensor  | kitchen | { reading: 40 } |
    Then the workflow should fault with the expression error at /do/0/consumeReading

  Scenario Outline: an example that shows a bearer token (<example>)
    Given the official example <example>
    And the workflow input is { petId: 1, token: abc }
    And https://petstore.swagger.io/v2/pet/1 demands the bearer token "abc"
    And the service answers GET https://petstore.swagger.io/v2/pet/1 with { id: 1 }
    When the workflow is executed
    Then the workflow should complete with output { id: 1 }

    Examples:
      | example                             |
      | authentication-bearer.yaml            |
      | authentication-bearer-uri-format.yaml |
      | authentication-reusable.yaml          |

  Scenario: authentication-oauth2.yaml
    Given the official example authentication-oauth2.yaml
    And the workflow input is { petId: 1 }
    And the service answers POST http://keycloak/realms/fake-authority/auth/token with { access_token: abc, token_type: Bearer }
    And https://petstore.swagger.io/v2/pet/1 demands the bearer token "abc"
    And the service answers GET https://petstore.swagger.io/v2/pet/1 with { id: 1 }
    When the workflow is executed
    Then the workflow should complete with output { id: 1 }
    And POST http://keycloak/realms/fake-authority/auth/token should have been asked for with:
      """yaml
      headers: { content-type: application/x-www-form-urlencoded }
      """

  Scenario: authentication-oidc.yaml
    Given the official example authentication-oidc.yaml
    And the workflow input is { petId: 1 }
    And the service answers GET http://keycloak/realms/fake-authority/.well-known/openid-configuration with { issuer: http://keycloak/realms/fake-authority, token_endpoint: 'http://keycloak/token' }
    And the service answers POST http://keycloak/token with { access_token: abc, token_type: Bearer }
    And https://petstore.swagger.io/v2/pet/1 demands the bearer token "abc"
    And the service answers GET https://petstore.swagger.io/v2/pet/1 with { id: 1 }
    When the workflow is executed
    Then the workflow should complete with output { id: 1 }

  Scenario: authentication-oauth2-secret.yaml
    Given the official example authentication-oauth2-secret.yaml
    And the workflow input is { petId: 1 }
    And the secret mySecret is { authority: 'http://keycloak', grant: client_credentials, client: { id: us, secret: ours } }
    And the service answers POST http://keycloak/oauth2/token with { access_token: abc, token_type: Bearer }
    And https://petstore.swagger.io/v2/pet/1 demands the bearer token "abc"
    And the service answers GET https://petstore.swagger.io/v2/pet/1 with { id: 1 }
    When the workflow is executed
    Then the workflow should complete with output { id: 1 }

  Scenario: authentication-oidc-secret.yaml
    Given the official example authentication-oidc-secret.yaml
    And the workflow input is { petId: 1 }
    And the secret mySecret is { authority: 'http://keycloak', grant: client_credentials, client: { id: us, secret: ours } }
    And the service answers GET http://keycloak/.well-known/openid-configuration with { issuer: 'http://keycloak', token_endpoint: 'http://keycloak/token' }
    And the service answers POST http://keycloak/token with { access_token: abc, token_type: Bearer }
    And https://petstore.swagger.io/v2/pet/1 demands the bearer token "abc"
    And the service answers GET https://petstore.swagger.io/v2/pet/1 with { id: 1 }
    When the workflow is executed
    Then the workflow should complete with output { id: 1 }

  Scenario: call-custom-function-cataloged.yaml
    Given the official example call-custom-function-cataloged.yaml
    And at https://raw.githubusercontent.com/serverlessworkflow/catalog/main/functions/log/1.0.0/function.yaml there is:
      """yaml
      set: { logged: '${ "[\(.level)] \(.message)" }' }
      """
    When the workflow is executed
    Then the workflow should complete with output { logged: '[information] Hello, world!' }

  Scenario: call-custom-function-inline.yaml
    Given the official example call-custom-function-inline.yaml
    And the service answers GET https://petstore.swagger.io/v2/pet/69 with { id: 69 }
    When the workflow is executed
    Then the workflow should complete with output { id: 69 }

  Scenario Outline: an example that gets a pet (<example>)
    Given the official example <example>
    And the workflow input is { petId: 7 }
    And the service answers GET https://petstore.swagger.io/v2/pet/7 with { id: 7 }
    When the workflow is executed
    Then the workflow should complete with output { id: 7 }

    Examples:
      | example                                   |
      | call-http-endpoint-interpolation.yaml           |
      | call-http-endpoint-interpolation-shorthand.yaml |
      | do-single.yaml                                  |

  Scenario Outline: an example that searches for characters (<example>)
    Given the official example <example>
    And the workflow input is { searchQuery: luke }
    And the service answers GET https://swapi.dev/api/people/ with { count: 1 }
    When the workflow is executed
    Then the workflow should complete with output { count: 1 }
    And GET https://swapi.dev/api/people/ should have been asked for with:
      """yaml
      query: { search: luke }
      """

    Examples:
      | example                             |
      | call-http-query-parameters.yaml          |
      | call-http-query-headers-expressions.yaml |
      | call-http-redirect.yaml                  |

  Scenario: call-http-query-parameters.yaml without what its input has to have
    Given the official example call-http-query-parameters.yaml
    When the workflow is executed
    Then the workflow should fault with the validation error at /input

  Scenario Outline: an example that finds pets by their status (<example>)
    Given the official example <example>
    And the service answers GET https://petstore.swagger.io/v2/swagger.json with the document 2.0/json/petstore.json
    And the service answers GET http://petstore.swagger.io/v2/pet/findByStatus with [ { id: 1 } ]
    When the workflow is executed
    Then the workflow should complete with output [ { id: 1 } ]
    And GET http://petstore.swagger.io/v2/pet/findByStatus should have been asked for with:
      """yaml
      query: { status: available }
      """

    Examples:
      | example                    |
      | call-openapi.yaml          |
      | call-openapi-redirect.yaml |

  Scenario: conditional-task.yaml for a person under age
    Given the official example conditional-task.yaml
    And the workflow input is { customer: { age: 17 } }
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://superbet-casinos.com/customer/access-forbidden
      status: 400
      """

  Scenario: conditional-task.yaml for an adult sends text where expressions are meant
    Given the official example conditional-task.yaml
    And the workflow input is { customer: { age: 18 }, bet: 1 }
    And the service answers POST https://superbet-casinos.com/api/bet/on/football with { placed: true }
    When the workflow is executed
    Then the workflow should complete with output { placed: true }
    And POST https://superbet-casinos.com/api/bet/on/football should have been asked for with:
      """yaml
      body: { customer: .customer, bet: .bet }
      """

  Scenario: do-multiple.yaml loses the pet's id where the service names it otherwise
    Given the official example do-multiple.yaml
    And the workflow input is { petId: 7 }
    And the service answers GET https://petstore.swagger.io/v2/pet/7 with { petId: 7, name: milou }
    And the service answers PUT https://petstore.swagger.io/v2/pet/7 with { sold: true }
    When the workflow is executed
    Then the workflow should complete with output { sold: true }
    And PUT https://petstore.swagger.io/v2/pet/7 should have been asked for with:
      """yaml
      body: { petId: 7, name: milou, status: sold }
      """

  Scenario: emit.yaml
    Given the official example emit.yaml
    When the workflow is executed
    Then the events emitted should be:
      """yaml
      - source: https://petstore.com
        type: com.petstore.order.placed.v1
        data: { client: { firstName: Cruella, lastName: de Vil }, items: [ { breed: dalmatian, quantity: 101 } ] }
      """

  Scenario: for-inline-array.yaml
    Given the official example for-inline-array.yaml
    When the workflow is executed
    Then the workflow should complete with output { processed: [ { name: red, hex: '#FF0000' }, { name: green, hex: '#00FF00' }, { name: blue, hex: '#0000FF' } ] }

  Scenario: for.yaml without a vet has nothing to do
    Given the official example for.yaml
    And the workflow input is { pets: [ { id: 1 } ] }
    When the workflow is executed
    Then the workflow should complete with output { pets: [ { id: 1 } ] }

  Scenario: for.yaml reads .pets of the list of events
    Given the official example for.yaml
    And the workflow input is { vet: ann, pets: [ { id: 1 } ] }
    When the workflow is executed
    And the event comes:
      """yaml
      type: com.fake.petclinic.pets.checkup.completed.v2
      """
    Then the workflow should fault with the expression error at /do/0/checkup/do/0/waitForCheckup

  Scenario: fork.yaml
    Given the official example fork.yaml
    And the workflow input is { patient: { fullName: Ann }, room: { number: 7 } }
    And after PT2S the service answers PUT https://fake-hospital.com/api/v3/alert/nurses with { nurse: true }
    And after PT1S the service answers PUT https://fake-hospital.com/api/v3/alert/doctor with { doctor: true }
    When the workflow is executed
    Then the workflow should complete with output { doctor: true }
    And it should have taken PT1S

  Scenario Outline: an example that listens for two kinds of events (<example>)
    Given the official example <example>
    When the workflow is executed
    And the events come:
      | type                                             | data                |
      | com.fake-hospital.vitals.measurements.temperature | { temperature: 37 } |
      | com.fake-hospital.vitals.measurements.bpm         | { bpm: 110 }        |
      | com.fake-hospital.vitals.measurements.temperature | { temperature: 39 } |
      | com.fake-hospital.patient.checked-out             | {}                  |
    Then the workflow should complete with output <output>

    Examples:
      | example                         | output                                |
      | listen-to-all.yaml              | [ { bpm: 110 }, { temperature: 39 } ] |
      | listen-to-any-filter.yaml       | [ { bpm: 110 } ]                      |
      | listen-to-any-until-consumed.yaml | [ { bpm: 110 }, { temperature: 39 } ] |
      | listen-to-any.yaml              | [ { temperature: 37 } ]               |

  Scenario: listen-to-all-read-envelope.yaml
    Given the official example listen-to-all-read-envelope.yaml
    When the workflow is executed
    And the events come:
      | type                                              | source | data                |
      | com.fake-hospital.vitals.measurements.bpm         | /b     | { bpm: 110 }        |
      | com.fake-hospital.vitals.measurements.temperature | /t     | { temperature: 39 } |
    Then the workflow output should match:
      """yaml
      - { source: /b, data: { bpm: 110 } }
      - { source: /t, data: { temperature: 39 } }
      """

  Scenario: listen-to-any-until-condition.yaml ends with the fourth event, not with the third as its comment says
    Given the official example listen-to-any-until-condition.yaml
    When the workflow is executed
    And the events come:
      | type | data |
      | a    | 1    |
      | b    | 2    |
      | c    | 3    |
      | d    | 4    |
      | e    | 5    |
    Then the workflow should complete with output [ 1, 2, 3, 4 ]

  Scenario: listen-to-any-forever-foreach.yaml never ends
    Given the official example listen-to-any-forever-foreach.yaml
    And the service answers POST https://fake-chat-api.com/room/9 with { posted: true }
    When the workflow is executed
    And the events come:
      | type | data                   |
      | a    | { roomId: 9, text: x } |
      | b    | { roomId: 9, text: y } |
    Then the workflow should be waiting
    And POST https://fake-chat-api.com/room/9 should have been asked for 2 times
    And POST https://fake-chat-api.com/room/9 should have been asked for with:
      """yaml
      body: { event: { roomId: 9, text: y } }
      """

  Scenario: listen-to-one.yaml looks for the car in the list of events, and faults in place of a request to all cars
    Given the official example listen-to-one.yaml
    And the workflow input is { carId: 7 }
    When the workflow is executed
    And the event comes:
      """yaml
      type: com.virtual-wf-powered-race.events.race.started.v1
      """
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/validation
      status: 400
      """

  Scenario: mock-service-extension.yaml never applies
    Given the official example mock-service-extension.yaml
    And the service answers GET https://fake.com/sample with { real: true }
    When the workflow is executed
    Then the workflow should complete with output { real: true }

  Scenario Outline: an example that raises an error (<example>)
    Given the official example <example>
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/errors/not-implemented
      status: 500
      title: Not Implemented
      detail: The workflow '<name>:0.1.0' is a work in progress and cannot be run yet
      instance: /do/0/notImplemented
      """

    Examples:
      | example             | name                 |
      | raise-inline.yaml   | raise-not-implemented |
      | raise-reusable.yaml | raise-not-implemented |

  Scenario: run-script-with-stdin-and-arguments.yaml
    Given the official example run-script-with-stdin-and-arguments.yaml
    When the workflow is executed
    Then the workflow should complete with output "stdin >  Hello Workflow\narg >  hello\nenv >  bar\n"

  Scenario: run-subflow.yaml gives text where an expression is meant
    Given the official example run-subflow.yaml
    And a workflow that it may run:
      """yaml
      document: { dsl: '1.0.3', namespace: test, name: register-customer, version: '0.1.0' }
      do: [ { register: { set: { registered: '${ .customer }' } } } ]
      """
    And the workflow input is { user: ann }
    When the workflow is executed
    Then the workflow should complete with output { registered: .user }

  Scenario: schedule-cron.yaml
    Given the official example schedule-cron.yaml
    And the service answers POST https://example.com/api/v1/backup/start with { backedUp: true }
    When the workflow is executed
    Then the workflow should complete with output { backedUp: true }

  Scenario Outline: schedule-event-driven.yaml reads envelopes, although it does not ask for them (<input>)
    Given the official example schedule-event-driven.yaml
    And the workflow input is [ <input> ]
    And the service answers POST https://hospital.example.com/api/v1/notify with { notified: true }
    When the workflow is executed
    Then the workflow should complete with output { notified: true }
    And POST https://hospital.example.com/api/v1/notify should have been asked for with:
      """yaml
      body: { patientId: <id> }
      """

    Examples:
      | input                                  | id   |
      | { type: t, data: { patient: { id: 7 } } } | 7    |
      | { patient: { id: 7 } }                 | null |

  Scenario Outline: an example that sets what started it (<example>)
    Given the official example <example>
    And the workflow input is [ { n: 1 } ]
    When the workflow is executed
    Then the workflow should complete with output <output>

    Examples:
      | example             | output                   |
      | set.yaml            | { startEvent: { n: 1 } } |
      | set-expression.yaml | { n: 1 }                 |

  Scenario: star-wars-homeworld.yaml
    Given the official example star-wars-homeworld.yaml
    And the workflow input is { id: 1 }
    And the service answers GET https://swapi.dev/api/people/1 with { name: Luke, homeworld: 'https://swapi.dev/api/planets/1' }
    And the service answers GET https://swapi.dev/api/planets/1 with { name: Tatooine }
    When the workflow is executed
    Then the workflow should complete with output { name: Tatooine }

  Scenario Outline: switch-then-string.yaml (<type>)
    Given the official example switch-then-string.yaml
    And the workflow input is { orderType: <type> }
    When the workflow is executed
    Then the workflow should complete with output <output>

    Examples:
      | type       | output                                           |
      | electronic | { validate: true, status: fulfilled }            |
      | physical   | { inventory: clear, items: 1, address: Elmer St } |
      | other      | { log: warn, message: "something's wrong" }      |

  Scenario Outline: an example that tries again (<example>)
    Given the official example <example>
    And the workflow input is { petId: 7 }
    And the service answers GET https://petstore.swagger.io/v2/pet/7 with status 503
    And the service answers GET https://petstore.swagger.io/v2/pet/7 with status 503
    And the service answers GET https://petstore.swagger.io/v2/pet/7 with { id: 7 }
    When the workflow is executed
    Then the workflow should complete with output { id: 7 }
    And it should have taken PT9S

    Examples:
      | example                       |
      | try-catch-retry-inline.yaml   |
      | try-catch-retry-reusable.yaml |

  Scenario Outline: try-catch-then-directive.yaml (<status>)
    Given the official example try-catch-then-directive.yaml
    And the service answers GET https://external-service.example.com/api with status <status>
    When the workflow is executed
    Then the workflow should complete with output { status: <output> }

    Examples:
      | status | output |
      | 200    | ok     |
      | 503    | failed |

  Scenario: wait-duration-inline.yaml
    Given the official example wait-duration-inline.yaml
    When the workflow is executed
    Then it should have taken PT30S

  Scenario: wait-duration-iso8601.yaml
    Given the official example wait-duration-iso8601.yaml
    When the workflow is executed
    Then it should have taken PT30S

  Scenario Outline: try-catch.yaml swallows a pet that is not there, and nothing else (<status>)
    Given the official example try-catch.yaml
    And the workflow input is { petId: 7 }
    And the service answers GET https://petstore.swagger.io/v2/pet/7 with status <status>
    When the workflow is executed
    Then <result>

    Examples:
      | status | result                                                |
      | 404    | the workflow should complete with output { petId: 7 } |
      | 500    | the workflow should fault                             |

  Scenario: try-catch-then.yaml reports a missing pet, and sets text where an expression is meant
    Given the official example try-catch-then.yaml
    And the workflow input is { petId: 7 }
    And the service answers GET https://petstore.swagger.io/v2/pet/7 with status 404
    When the workflow is executed
    Then the workflow should complete with output { error: $error }
    And buyPet should have been skipped
    And the events emitted should be:
      """yaml
      - type: io.swagger.petstore.events.pets.not-found.v1
        data: { status: 404, instance: /do/0/tryGetPet/try/0/getPet }
      """

  Scenario: try-catch-then.yaml buys a pet that is there, by the id that the service gives as petId
    Given the official example try-catch-then.yaml
    And the workflow input is { petId: 7 }
    And the service answers GET https://petstore.swagger.io/v2/pet/7 with { petId: 7 }
    And the service answers PUT https://petstore.swagger.io/v2/pet/7 with { sold: true }
    When the workflow is executed
    Then the workflow should complete with output { sold: true }
