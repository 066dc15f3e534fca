import type { JsonObject } from '@millrace/engine'
import { objectOf } from '#modules/connectors/code/data/csv-manifests.ts'
import { connectionArgument } from '#modules/connectors/functions/function-manifest.ts'

export const requestInput: JsonObject = objectOf(['connection'], {
  connection: connectionArgument,
  method: { type: 'string', enum: ['get', 'post', 'put', 'patch', 'delete', 'head'], description: 'get unless given.' },
  path: { type: 'string', maxLength: 8_000, description: 'What follows the address of the connection, such as /orders/7.' },
  query: { type: 'object', description: 'Parameters of the query by their names.' },
  headers: { type: 'object', description: 'Headers by their names, beside those of the connection.' },
  body: { description: 'What is sent: an object or a list as JSON, a text as it is.' },
  output: {
    type: 'string',
    enum: ['content', 'response', 'raw'],
    description: 'content: the body; response: also its status and headers; raw: the body in base64. content unless given.',
  },
  redirect: { type: 'boolean', description: 'Whether redirects are followed.' },
})

export const requestOutput: JsonObject = {
  description: 'The body of the reply, read as JSON where it is JSON; another status than 200 to 299 is an error.',
}
