@section:mcp-call @section:mcp-transport @section:mcp-http-transport @section:call
Feature: Calls over MCP
  Tools, prompts and resources of servers of the Model Context Protocol. The server is the reference server of the protocol's authors.

  Background:
    Given the reference server of MCP at http://mcp.test/mcp

  Scenario: a tool is called
    Given a workflow with definition:
      """yaml
      do:
        - echo:
            call: mcp
            with:
              method: tools/call
              parameters: { name: echo, arguments: { message: '${ .text }' } }
              transport: { http: { endpoint: 'http://mcp.test/mcp' } }
      output: { as: '.content[0].text' }
      """
    And the workflow input is { text: hello }
    When the workflow is executed
    Then the workflow should complete with output 'Echo: hello'

  @section:mcp-client
  Scenario: tools are listed, by a client that says who it is
    Given a workflow with definition:
      """yaml
      do:
        - list:
            call: mcp
            with:
              protocolVersion: '2025-06-18'
              method: tools/list
              transport: { http: { endpoint: { uri: '${ .at }' }, headers: { x-team: pets } } }
              client: { name: ours, version: '1.0.0' }
      output: { as: '[ .tools[].name ] | contains([ "echo" ])' }
      """
    And the workflow input is { at: 'http://mcp.test/mcp' }
    When the workflow is executed
    Then the workflow should complete with output true

  Scenario: parameters may be one expression
    Given a workflow with definition:
      """yaml
      do:
        - get:
            call: mcp
            with: { method: prompts/get, parameters: '${ .ask }', transport: { http: { endpoint: 'http://mcp.test/mcp' } } }
      output: { as: '.messages | length > 0' }
      """
    And the workflow input is { ask: { name: simple-prompt } }
    When the workflow is executed
    Then the workflow should complete with output true

  @section:standard-error-types
  Scenario: a resource that the server does not have is a runtime error
    Given a workflow with definition:
      """yaml
      do:
        - call:
            call: mcp
            with: { method: resources/read, parameters: { uri: 'nowhere://x' }, transport: { http: { endpoint: 'http://mcp.test/mcp' } } }
      """
    When the workflow is executed
    Then the workflow should fault with the runtime error at /do/0/call

  @section:standard-error-types
  Scenario: a server that is not there is a communication error
    Given a workflow with definition:
      """yaml
      do:
        - call: { call: mcp, with: { method: tools/list, transport: { http: { endpoint: 'http://gone.test/mcp' } } } }
      """
    And no server is at gone.test
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/communication
      status: 503
      """

  @section:mcp-stdio-transport
  Scenario: a server that is a process cannot be called here
    Given a workflow with definition:
      """yaml
      do:
        - call: { call: mcp, with: { method: tools/list, transport: { stdio: { command: npx } } } }
      """
    Then the definition should be valid, but refused here at /do/0/call/with/transport/stdio

  @section:standard-error-types
  Scenario: a tool that the server does not have is a runtime error
    Given a workflow with definition:
      """yaml
      do:
        - call: { call: mcp, with: { method: tools/call, parameters: { name: nowhere }, transport: { http: { endpoint: 'http://mcp.test/mcp' } } } }
      """
    And the reference server of MCP at http://mcp.test/mcp
    When the workflow is executed
    Then the workflow should fault with the runtime error at /do/0/call

  @section:error
  Scenario: a tool that is called wrongly is an error, and can be caught
    Given a workflow with definition:
      """yaml
      do:
        - guard:
            try:
              - echo:
                  call: mcp
                  with: { method: tools/call, parameters: { name: echo, arguments: {} }, transport: { http: { endpoint: 'http://mcp.test/mcp' } } }
            catch:
              errors: { with: { type: 'https://open-workflow-specification.org/spec/1.0.0/errors/runtime' } }
              do: [ { report: { set: { at: '${ $error.instance }' } } } ]
      """
    When the workflow is executed
    Then the workflow should complete with output { at: /do/0/guard/try/0/echo }
