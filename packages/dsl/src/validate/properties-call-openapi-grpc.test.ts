/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const openapi = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - findPets:
      call: openapi
      with:
        document:
          name: petstore
          endpoint: https://petstore.example.com/openapi.json
        operationId: findPets
        parameters:
          status: available
        authentication:
          bearer:
            token: \${ .token }
        output: raw
        redirect: false
`

describe('call: openapi', () => {
  test('with every property is right', () => {
    expect(reportsOf(openapi)).toEqual([])
  })

  const cases: readonly Case[] = [
    [
      'name: petstore',
      'name: 5',
      '11:17 wrong_type /do/0/findPets/with/document/name: "name" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'name: petstore',
      'nmae: petstore',
      '11:11 unknown_property /do/0/findPets/with/document/nmae: "nmae" is not a property of an external resource. Did you mean "name"?',
    ],
    [
      'endpoint: https://petstore.example.com/openapi.json',
      '',
      '10:9 missing_property /do/0/findPets/with/document: An external resource needs "endpoint". Add endpoint: to it.',
    ],
    [
      'endpoint: https://petstore.example.com/openapi.json',
      'uri: https://a.b',
      '10:9 missing_property /do/0/findPets/with/document: An external resource needs "endpoint". Add endpoint: to it.',
      '12:11 unknown_property /do/0/findPets/with/document/uri: "uri" is not a property of an external resource. Remove it; possible are name, endpoint.',
    ],
    [
      'operationId: findPets',
      '',
      '9:7 missing_property /do/0/findPets/with: The arguments of an OpenAPI call need "operationId". Add operationId: to it.',
    ],
    [
      'operationId: findPets',
      'operationID: findPets',
      '13:9 unknown_property /do/0/findPets/with/operationID: "operationID" is not a property of the arguments of an OpenAPI call. Did you mean "operationId"?',
    ],
    [
      'operationId: findPets',
      'operationId: 7',
      '13:22 wrong_type /do/0/findPets/with/operationId: "operationId" has to be a string, but is a number. Put it in quotes: "7".',
    ],
    [
      'status: available',
      '- available',
      '15:11 wrong_type /do/0/findPets/with/parameters: "parameters" has to be an object, but is a list. Write name: value pairs.',
    ],
    [
      'parameters:',
      'params:',
      '14:9 unknown_property /do/0/findPets/with/params: "params" is not a property of the arguments of an OpenAPI call. Remove it; possible are document, operationId, parameters, authentication, output, redirect.',
    ],
    [
      'authentication:',
      'authetication:',
      '16:9 unknown_property /do/0/findPets/with/authetication: "authetication" is not a property of the arguments of an OpenAPI call. Did you mean "authentication"?',
    ],
    [
      'bearer:',
      'baerer:',
      '17:11 unknown_property /do/0/findPets/with/authentication/baerer: "baerer" is not a property of an authentication policy. Did you mean "bearer"?',
    ],
    [
      'bearer:',
      'apiKey:',
      '16:9 missing_property /do/0/findPets/with/authentication: An authentication policy needs "use", "basic", "bearer", "digest", "oauth2" or "oidc". Add one of use, basic, bearer, digest, oauth2, oidc.',
      '17:11 unknown_property /do/0/findPets/with/authentication/apiKey: "apiKey" is not a property of an authentication policy. Remove it; possible are use, basic, bearer, digest, oauth2, oidc.',
    ],
    [
      'token: ${ .token }',
      'token: 12',
      '18:20 wrong_type /do/0/findPets/with/authentication/bearer/token: "token" has to be a string, but is a number. Put it in quotes: "12".',
    ],
    [
      'token: ${ .token }',
      'tokn: x',
      '18:13 unknown_property /do/0/findPets/with/authentication/bearer/tokn: "tokn" is not a property of the credentials. Did you mean "token"?',
    ],
    [
      'token: ${ .token }',
      'use: vault',
      '18:18 undeclared_secret /do/0/findPets/with/authentication/bearer/use: The secret "vault" is not listed in use.secrets. Add vault to use.secrets.',
    ],
    [
      'output: raw',
      'output: RAW',
      '19:17 invalid_value /do/0/findPets/with/output: "RAW" is not possible for "output". Did you mean "raw"?',
    ],
    [
      'redirect: false',
      'redirect: 0',
      '20:19 wrong_type /do/0/findPets/with/redirect: "redirect" has to be true or false, but is a number. Write true or false, without quotes.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(openapi, line, by), reports)
  })
})

const grpc = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - greet:
      call: grpc
      with:
        proto:
          endpoint: file://app/greet.proto
        service:
          name: GreeterApi.Greeter
          host: localhost
          port: 5011
          authentication:
            use: login
        method: SayHello
        arguments:
          name: \${ .name }
use:
  authentications:
    login:
      basic:
        username: ada
        password: \${ .password }
`

describe('call: grpc', () => {
  test('with every property is right', () => {
    expect(reportsOf(grpc)).toEqual([])
  })

  const cases: readonly Case[] = [
    [
      'proto:',
      'protocol:',
      '9:7 missing_property /do/0/greet/with: The arguments of a gRPC call need "proto". Add proto: to it.',
      '10:9 unknown_property /do/0/greet/with/protocol: "protocol" is not a property of the arguments of a gRPC call. Remove it; possible are proto, service, method, arguments.',
    ],
    [
      'endpoint: file://app/greet.proto',
      'endpoint: app/greet.proto',
      '11:21 invalid_uri /do/0/greet/with/proto/endpoint: "app/greet.proto" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.',
    ],
    [
      'service:',
      'servcie:',
      '12:9 unknown_property /do/0/greet/with/servcie: "servcie" is not a property of the arguments of a gRPC call. Did you mean "service"?',
    ],
    ['name: GreeterApi.Greeter', '', '12:9 missing_property /do/0/greet/with/service: A gRPC service needs "name". Add name: to it.'],
    ['host: localhost', '', '12:9 missing_property /do/0/greet/with/service: A gRPC service needs "host". Add host: to it.'],
    [
      'host: localhost',
      'host: https://localhost',
      '14:17 invalid_name /do/0/greet/with/service/host: "https://localhost" is not a host name. Write a host such as api.example.com, without scheme or port.',
    ],
    [
      'host: localhost',
      "host: '${ .host }'",
      '14:17 invalid_name /do/0/greet/with/service/host: "${ .host }" is not a host name. Write a host such as api.example.com, without scheme or port.',
    ],
    [
      'port: 5011',
      "port: '5011'",
      '15:17 wrong_type /do/0/greet/with/service/port: "port" has to be a whole number, but is a string. Write 5011 without quotes.',
    ],
    [
      'port: 5011',
      'port: 65536',
      '15:17 invalid_value /do/0/greet/with/service/port: 65536 is out of range. Write a number from 0 to 65535.',
    ],
    ['port: 5011', 'port: -1', '15:17 invalid_value /do/0/greet/with/service/port: -1 is out of range. Write a number from 0 to 65535.'],
    [
      'port: 5011',
      'port: 50.11',
      '15:17 wrong_type /do/0/greet/with/service/port: "port" has to be a whole number, but is a number with a fraction. Write a whole number, without quotes.',
    ],
    [
      'port: 5011',
      'prot: 5011',
      '15:11 unknown_property /do/0/greet/with/service/prot: "prot" is not a property of a gRPC service. Did you mean "port"?',
    ],
    [
      'use: login',
      'use: logn',
      '17:18 unknown_reference /do/0/greet/with/service/authentication/use: There is no authentication policy named "logn" in use.authentications. Did you mean "login"?',
    ],
    [
      'use: login',
      'use:',
      '17:17 wrong_type /do/0/greet/with/service/authentication/use: "use" has to be a string, but is empty (null). Write text.',
    ],
    ['use: login', "use: ''", '17:18 too_few_entries /do/0/greet/with/service/authentication/use: "use" may not be empty. Write a name.'],
    ['method: SayHello', '', '9:7 missing_property /do/0/greet/with: The arguments of a gRPC call need "method". Add method: to it.'],
    [
      'method: SayHello',
      'metod: SayHello',
      '18:9 unknown_property /do/0/greet/with/metod: "metod" is not a property of the arguments of a gRPC call. Did you mean "method"?',
    ],
    [
      'arguments:',
      'args:',
      '19:9 unknown_property /do/0/greet/with/args: "args" is not a property of the arguments of a gRPC call. Remove it; possible are proto, service, method, arguments.',
    ],
    ['username: ada', '', '24:7 missing_property /use/authentications/login/basic: The credentials need "username". Add username: to it.'],
    [
      'username: ada',
      'user: ada',
      '24:7 missing_property /use/authentications/login/basic: The credentials need "username". Add username: to it.',
      '25:9 unknown_property /use/authentications/login/basic/user: "user" is not a property of the credentials. Remove it; possible are username, password.',
    ],
    [
      'password: ${ .password }',
      'password: 1234',
      '26:19 wrong_type /use/authentications/login/basic/password: "password" has to be a string, but is a number. Put it in quotes: "1234".',
    ],
    [
      'basic:',
      'digset:',
      '24:7 unknown_property /use/authentications/login/digset: "digset" is not a property of an authentication policy. Did you mean "digest"?',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(grpc, line, by), reports)
  })
})
