@section:openapi-call @section:call @section:external-resource
Feature: Calls of operations of OpenAPI documents
  A document says where an operation is and how it wants its parameters.

  Scenario: Swagger 2.0, with parameters in the query
    Given a workflow with definition:
      """yaml
      do:
        - find:
            call: openapi
            with:
              document: { endpoint: 'https://petstore.swagger.io/v2/swagger.json' }
              operationId: findPetsByStatus
              parameters: { status: [ '${ .status }' ] }
      """
    And the workflow input is { status: available }
    And the service answers GET https://petstore.swagger.io/v2/swagger.json with:
      """yaml
      headers: { content-type: application/json }
      body: '{"swagger":"2.0","host":"petstore.swagger.io","basePath":"/v2","schemes":["https"],"paths":{"/pet/findByStatus":{"get":{"operationId":"findPetsByStatus","parameters":[{"name":"status","in":"query","type":"array","items":{"type":"string"},"collectionFormat":"multi"}],"responses":{}}}}}'
      """
    And the service answers GET https://petstore.swagger.io/v2/pet/findByStatus with [ { id: 1 } ]
    When the workflow is executed
    Then the workflow should complete with output [ { id: 1 } ]
    And GET https://petstore.swagger.io/v2/pet/findByStatus should have been asked for with:
      """yaml
      query: { status: available }
      """

  Scenario: the petstore of Swagger 2.0, as a package ships it
    Given a workflow with definition:
      """yaml
      do:
        - get:
            call: openapi
            with:
              document: { endpoint: 'https://petstore.swagger.io/v2/swagger.json' }
              operationId: getPetById
              parameters: { petId: '${ .id }' }
      """
    And the workflow input is { id: 7 }
    And the service answers GET https://petstore.swagger.io/v2/swagger.json with the document 2.0/json/petstore.json
    And the service answers GET http://petstore.swagger.io/v2/pet/7 with { id: 7 }
    When the workflow is executed
    Then the workflow should complete with output { id: 7 }

  Scenario: the petstore of OpenAPI 3.0, as a package ships it, with a body and a header
    Given a workflow with definition:
      """yaml
      do:
        - add:
            call: openapi
            with:
              document: { endpoint: 'https://documents.test/petstore.json' }
              operationId: addPet
              parameters: { body: { name: milou, photoUrls: [] } }
        - remove:
            call: openapi
            with:
              document: { endpoint: 'https://documents.test/petstore.json' }
              operationId: deletePet
              parameters: { petId: '${ .id }', api_key: abc }
              output: response
            output: { as: .statusCode }
      """
    And the service answers GET https://documents.test/petstore.json with the document 3.0/json/petstore.json
    And the service answers POST http://petstore.swagger.io/v2/pet with { id: 7 }
    And the service answers DELETE http://petstore.swagger.io/v2/pet/7 with status 204
    When the workflow is executed
    Then the workflow should complete with output 204
    And POST http://petstore.swagger.io/v2/pet should have been asked for with:
      """yaml
      body: { name: milou, photoUrls: [] }
      """
    And DELETE http://petstore.swagger.io/v2/pet/7 should have been asked for with:
      """yaml
      headers: { api_key: abc }
      """

  Scenario: a document in YAML
    Given a workflow with definition:
      """yaml
      do:
        - get:
            call: openapi
            with: { document: { endpoint: 'https://documents.test/d.yaml' }, operationId: get, parameters: { id: 1 } }
      """
    And the service answers GET https://documents.test/d.yaml with:
      """yaml
      headers: { content-type: application/yaml }
      body: |
        openapi: 3.1.0
        info: { title: Things, version: '1' }
        servers: [ { url: 'https://api.test/v1' } ]
        paths:
          /things/{id}:
            get: { operationId: get, parameters: [ { name: id, in: path, required: true, schema: { type: integer } } ], responses: {} }
      """
    And the service answers GET https://api.test/v1/things/1 with { found: true }
    When the workflow is executed
    Then the workflow should complete with output { found: true }

  @section:standard-error-types
  Scenario: an unknown operation is reported with a similar one
    Given a workflow with definition:
      """yaml
      do:
        - get:
            call: openapi
            with: { document: { endpoint: 'https://documents.test/petstore.json' }, operationId: getPetsById }
      """
    And the service answers GET https://documents.test/petstore.json with the document 3.0/json/petstore.json
    When the workflow is executed
    Then the workflow should fault
    And the detail of the error should contain getPetById

  @section:standard-error-types
  Scenario: a document that cannot be fetched is a communication error
    Given a workflow with definition:
      """yaml
      do:
        - get:
            call: openapi
            with: { document: { endpoint: 'https://documents.test/petstore.json' }, operationId: getPetById }
      """
    And the service answers GET https://documents.test/petstore.json with status 503
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/communication
      status: 503
      instance: /do/0/get
      """

  @section:standard-error-types
  Scenario: a missing parameter is reported before the operation is called
    Given a workflow with definition:
      """yaml
      do:
        - get:
            call: openapi
            with: { document: { endpoint: 'https://documents.test/petstore.json' }, operationId: getPetById }
      """
    And the service answers GET https://documents.test/petstore.json with the document 3.0/json/petstore.json
    When the workflow is executed
    Then the workflow should fault with the validation error at /do/0/get
    And the detail of the error should contain petId

  @section:authentication
  Scenario: the operation and the document may want different credentials
    Given a workflow with definition:
      """yaml
      use: { authentications: { ours: { bearer: { token: for-the-api } } } }
      do:
        - get:
            call: openapi
            with:
              document: { endpoint: { uri: 'https://documents.test/petstore.json', authentication: { basic: { username: ann, password: pass } } } }
              operationId: getPetById
              parameters: { petId: 7 }
              authentication: { use: ours }
      """
    And https://documents.test/petstore.json demands basic authentication of "ann" with the password "pass"
    And http://petstore.swagger.io/v2/pet/7 demands the bearer token "for-the-api"
    And the service answers GET https://documents.test/petstore.json with the document 3.0/json/petstore.json
    And the service answers GET http://petstore.swagger.io/v2/pet/7 with { id: 7 }
    When the workflow is executed
    Then the workflow should complete with output { id: 7 }

  Scenario Outline: redirect says whether a redirection of the operation is an error (<redirect>)
    Given a workflow with definition:
      """yaml
      do:
        - get:
            call: openapi
            with:
              document: { endpoint: 'https://documents.test/petstore.json' }
              operationId: getPetById
              parameters: { petId: 7 }
              redirect: <redirect>
      """
    And the service answers GET https://documents.test/petstore.json with the document 3.0/json/petstore.json
    And the service answers GET http://petstore.swagger.io/v2/pet/7 with:
      """yaml
      status: 302
      headers: { location: /v2/pet/8 }
      """
    And the service answers GET http://petstore.swagger.io/v2/pet/8 with { id: 8 }
    When the workflow is executed
    Then <result>

    Examples:
      | redirect | result                                             |
      | true     | the workflow should complete with output { id: 8 } |
      | false    | the workflow should fault with the communication error at /do/0/get |

  Scenario: raw gives the content of the reply in base 64
    Given a workflow with definition:
      """yaml
      do:
        - get: { call: openapi, with: { document: { endpoint: 'https://documents.test/petstore.json' }, operationId: getPetById, parameters: { petId: 7 }, output: raw } }
      """
    And the service answers GET https://documents.test/petstore.json with the document 3.0/json/petstore.json
    And the service answers GET http://petstore.swagger.io/v2/pet/7 with { a: 1 }
    When the workflow is executed
    Then the workflow should complete with output eyJhIjoxfQ==

  @section:standard-error-types
  Scenario: a parameter that the operation does not have is a validation error
    Given a workflow with definition:
      """yaml
      do:
        - get:
            call: openapi
            with: { document: { endpoint: 'https://documents.test/petstore.json' }, operationId: getPetById, parameters: { petId: 7, petid: 8 } }
      """
    And the service answers GET https://documents.test/petstore.json with the document 3.0/json/petstore.json
    When the workflow is executed
    Then the workflow should fault with the validation error at /do/0/get
    And GET http://petstore.swagger.io/v2/pet/7 should have been asked for 0 times

  Scenario: the document is kept for a while
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: '[ 7, 8, 7 ]' }
            do: [ { get: { call: openapi, with: { document: { endpoint: 'https://documents.test/petstore.json' }, operationId: getPetById, parameters: { petId: '${ $item }' } } } } ]
      """
    And the service answers GET https://documents.test/petstore.json with the document 3.0/json/petstore.json
    And the service answers GET http://petstore.swagger.io/v2/pet/7 with { id: 7 }
    And the service answers GET http://petstore.swagger.io/v2/pet/8 with { id: 8 }
    When the workflow is executed
    Then the workflow should complete with output { id: 7 }
    And GET https://documents.test/petstore.json should have been asked for 1 time
    And GET http://petstore.swagger.io/v2/pet/7 should have been asked for 2 times

  @section:retry
  Scenario: an operation that fails for a while is called again
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try: [ { get: { call: openapi, with: { document: { endpoint: 'https://documents.test/petstore.json' }, operationId: getPetById, parameters: { petId: 7 } } } } ]
            catch: { errors: { with: { status: 503 } }, retry: { delay: PT1S } }
      """
    And the service answers GET https://documents.test/petstore.json with the document 3.0/json/petstore.json
    And the service answers GET http://petstore.swagger.io/v2/pet/7 with status 503
    And the service answers GET http://petstore.swagger.io/v2/pet/7 with { id: 7 }
    When the workflow is executed
    Then the workflow should complete with output { id: 7 }
    And it should have taken PT1S
