@section:authentication
Feature: Authentication
  What a call shows to a service that asks who it is.

  @section:basic-authentication
  Scenario: basic
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: https://api.test/x
                authentication: { basic: { username: '${ .user }', password: 'pass:word' } }
      """
    And the workflow input is { user: ann }
    And https://api.test/x demands basic authentication of "ann" with the password "pass:word"
    And the service answers GET https://api.test/x with { fine: true }
    When the workflow is executed
    Then the workflow should complete with output { fine: true }

  @section:bearer-authentication
  Scenario: bearer
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            call: http
            with: { method: get, endpoint: { uri: 'https://api.test/x', authentication: { bearer: { token: '${ .token }' } } } }
      """
    And the workflow input is { token: abc123 }
    And https://api.test/x demands the bearer token "abc123"
    And the service answers GET https://api.test/x with { fine: true }
    When the workflow is executed
    Then the workflow should complete with output { fine: true }

  @section:digest-authentication
  Scenario: digest
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            call: http
            with:
              method: post
              endpoint: { uri: 'https://api.test/x', authentication: { digest: { username: ann, password: pass } } }
              query: { page: '2' }
      """
    And https://api.test/x demands digest authentication of "ann" with the password "pass"
    And the service answers POST https://api.test/x with { fine: true }
    When the workflow is executed
    Then the workflow should complete with output { fine: true }
    And POST https://api.test/x should have been asked for 2 times

  @section:basic-authentication @section:digest-authentication @section:bearer-authentication
  Scenario Outline: what is not believed is a communication error with the status of the service (<scheme>)
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, endpoint: { uri: 'https://api.test/x', authentication: <policy> } } }
      """
    And https://api.test/x demands <demand>
    And the service answers GET https://api.test/x with { fine: true }
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/communication
      status: 401
      instance: /do/0/ask
      """

    Examples:
      | scheme | policy                                          | demand                                               |
      | basic  | { basic: { username: ann, password: wrong } }   | basic authentication of "ann" with the password "pass"  |
      | digest | { digest: { username: ann, password: wrong } }  | digest authentication of "ann" with the password "pass" |
      | bearer | { bearer: { token: wrong } }                    | the bearer token "right"                             |

  @section:oauth2-authentication
  Scenario Outline: OAuth 2.0 with the credentials of a client (<method>)
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: '%api%'
                authentication:
                  oauth2:
                    authority: '%authority%'
                    grant: client_credentials
                    client: { id: <client>, secret: 'a secret with: spaces & signs, long enough for HS256', authentication: <method> }
                    scopes: [ api ]
      output: { as: { client: '${ .client }', scope: '${ .scope }' } }
      """
    And an OAuth 2.0 server at %authority%, and an API at %api% that wants its tokens
    When the workflow is executed
    Then the workflow should complete with output { client: <client>, scope: api }

    Examples:
      | client   | method              |
      | by-post  | client_secret_post  |
      | by-basic | client_secret_basic |
      | by-jwt   | client_secret_jwt   |

  @section:oauth2-authentication
  Scenario: OAuth 2.0 with a user name and a password, and the token endpoint named
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: '%api%'
                authentication:
                  oauth2:
                    authority: '%authority%'
                    endpoints: { token: /oauth2/token }
                    grant: password
                    client: { id: by-post, secret: 'a secret with: spaces & signs, long enough for HS256' }
                    username: ann
                    password: '${ .password }'
      output: { as: .client }
      """
    And the workflow input is { password: 'pass word&' }
    And an OAuth 2.0 server at %authority%, and an API at %api% that wants its tokens
    When the workflow is executed
    Then the workflow should complete with output by-post

  @section:oauth2-authentication @section:oauth2-token
  Scenario: OAuth 2.0 in exchange for another token
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: '%api%'
                authentication:
                  oauth2:
                    authority: '%authority%'
                    grant: urn:ietf:params:oauth:grant-type:token-exchange
                    client: { id: by-post, secret: 'a secret with: spaces & signs, long enough for HS256' }
                    subject: { token: '${ .token }', type: access_token }
                    actor: { token: the-actor, type: access_token }
                    audiences: [ shop ]
                    scopes: [ api ]
      output: { as: .scope }
      """
    And the workflow input is { token: subject-token }
    And an OAuth 2.0 server at %authority%, and an API at %api% that wants its tokens
    When the workflow is executed
    Then the workflow should complete with output api the-actor shop

  @section:oauth2-authentication @section:standard-error-types
  Scenario: a client that is not known is an authentication error
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: '%api%'
                authentication:
                  oauth2: { authority: '%authority%', grant: client_credentials, client: { id: by-post, secret: wrong } }
      """
    And an OAuth 2.0 server at %authority%, and an API at %api% that wants its tokens
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/authentication
      status: 401
      instance: /do/0/ask
      """

  @section:openidconnect-authentication
  Scenario Outline: OpenID Connect finds the token endpoint by itself (<authority>)
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: '%api%'
                authentication:
                  oidc:
                    authority: '<authority>'
                    grant: client_credentials
                    client: { id: by-post, secret: 'a secret with: spaces & signs, long enough for HS256' }
                    scopes: [ read ]
      output: { as: { client: '${ .client }', scope: '${ .scope }' } }
      """
    And an OAuth 2.0 server at %authority%, and an API at %api% that wants its tokens
    When the workflow is executed
    Then the workflow should complete with output { client: by-post, scope: read }

    Examples:
      | authority                                    |
      | %authority%                                  |
      | %authority%/.well-known/openid-configuration |

  @section:use
  Scenario: a policy may be named, and used by several calls
    Given a workflow with definition:
      """yaml
      use: { authentications: { ours: { bearer: { token: '${ $workflow.input.token }' } } } }
      do:
        - one: { call: http, with: { method: get, endpoint: { uri: 'https://api.test/1', authentication: { use: ours } } } }
        - two: { call: http, with: { method: get, endpoint: { uri: 'https://api.test/2', authentication: { use: ours } } } }
      """
    And the workflow input is { token: abc123 }
    And https://api.test/1 demands the bearer token "abc123"
    And https://api.test/2 demands the bearer token "abc123"
    And the service answers GET https://api.test/1 with { n: 1 }
    And the service answers GET https://api.test/2 with { n: 2 }
    When the workflow is executed
    Then the workflow should complete with output { n: 2 }

  @section:use
  Scenario: an undefined policy name is an error before the workflow runs
    Given a workflow with definition:
      """yaml
      do:
        - one: { call: http, with: { method: get, endpoint: { uri: 'https://api.test/1', authentication: { use: ours } } } }
      """
    Then the definition should be invalid: unknown_reference at /do/0/one/with/endpoint/authentication/use

  @section:basic-authentication @section:use
  Scenario: the settings of a scheme may be a secret
    Given a workflow with definition:
      """yaml
      use:
        secrets: [ account ]
        authentications: { ours: { basic: { use: account } } }
      do:
        - ask: { call: http, with: { method: get, endpoint: { uri: 'https://api.test/x', authentication: { use: ours } }, output: response } }
      """
    And the secret account is { username: ann, password: a-long-password }
    And https://api.test/x demands basic authentication of "ann" with the password "a-long-password"
    And the service answers GET https://api.test/x with { fine: true }
    When the workflow is executed
    Then the workflow should complete
    And the output should not contain a-long-password
    And the output should not contain YW5uOmEtbG9uZy1wYXNzd29yZA

  @section:use @section:standard-error-types
  Scenario: a secret that does not exist is an authorization error
    Given a workflow with definition:
      """yaml
      use: { secrets: [ account ] }
      do:
        - ask: { call: http, with: { method: get, endpoint: { uri: 'https://api.test/x', authentication: { basic: { use: account } } } } }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/authorization
      status: 403
      """

  @section:bearer-authentication
  Scenario: a credential that the service gives back is not kept
    Given a workflow with definition:
      """yaml
      do:
        - ask: { call: http, with: { method: get, output: response, endpoint: { uri: 'https://api.test/x', authentication: { bearer: { token: '${ .token }' } } } } }
      output: { as: .request }
      """
    And the workflow input is { token: a-long-token }
    And https://api.test/x demands the bearer token "a-long-token"
    And the service answers GET https://api.test/x with { fine: true }
    When the workflow is executed
    Then the workflow should complete
    And the output should not contain a-long-token

  @section:oauth2-authentication @section:use
  Scenario: OAuth 2.0 by a secret, and nothing of it is kept
    Given a workflow with definition:
      """yaml
      use: { secrets: [ client ] }
      do:
        - ask:
            call: http
            with: { method: get, output: response, endpoint: { uri: '%api%', authentication: { oauth2: { authority: '%authority%', grant: client_credentials, client: { id: by-post, secret: '${ $secrets.client }' } } } } }
      output: { as: '{ request: .request, client: .content.client }' }
      """
    And the secret client is 'a secret with: spaces & signs, long enough for HS256'
    And an OAuth 2.0 server at %authority%, and an API at %api% that wants its tokens
    When the workflow is executed
    Then the workflow output should match:
      """yaml
      request: { headers: { authorization: '***' } }
      """

  @section:openidconnect-authentication @section:standard-error-types
  Scenario: a provider that cannot be found is a communication error
    Given a workflow with definition:
      """yaml
      do:
        - ask:
            call: http
            with: { method: get, endpoint: { uri: 'https://api.test/x', authentication: { oidc: { authority: 'https://gone.test', grant: client_credentials, client: { id: a, secret: b } } } } }
      """
    And no server is at gone.test
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/communication
      status: 503
      """

  @section:oauth2-authentication
  Scenario: a token is used until it is worth nothing any more
    Given a workflow with definition:
      """yaml
      do:
        - loop:
            for: { in: '[ 1, 2, 3 ]' }
            do: [ { ask: { call: http, with: { method: get, endpoint: { uri: 'https://api.test/x', authentication: { oauth2: { authority: 'https://auth.test', grant: client_credentials, client: { id: a, secret: b } } } } } } } ]
      """
    And the service answers POST https://auth.test/oauth2/token with { access_token: first, token_type: Bearer, expires_in: 600 }
    And https://api.test/x demands the bearer token "first"
    And the service answers GET https://api.test/x with { fine: true }
    When the workflow is executed
    Then the workflow should complete with output { fine: true }
    And POST https://auth.test/oauth2/token should have been asked for 1 time
