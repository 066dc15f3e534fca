// Small services for the examples that call some: node examples/services.mjs
//   GET  /openapi.json       describes GET /products/{sku}
//   GET  /products/{sku}     a product, or 404
//   GET  /latest/{currency}  an exchange rate; away for the first two requests
//   POST /log                prints what it is told
import { createServer } from 'node:http'

const products = {
  tea: { sku: 'tea', name: 'Green tea', price: 450 },
  cup: { sku: 'cup', name: 'Cup', price: 1290 },
  pot: { sku: 'pot', name: 'Tea pot', price: 3490 },
}

const description = {
  openapi: '3.1.0',
  info: { title: 'Products', version: '1.0.0' },
  paths: {
    '/products/{sku}': {
      get: {
        operationId: 'getProduct',
        parameters: [{ name: 'sku', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'A product' }, 404: { description: 'There is none' } },
      },
    },
  },
}

let rateRequests = 0

const routes = {
  'GET /openapi.json': () => [200, description],
  'GET /products': (sku) => (products[sku] === undefined ? [404, { detail: `There is no product "${sku}".` }] : [200, products[sku]]),
  'GET /latest': (currency) => ((rateRequests += 1) <= 2 ? [503, { detail: 'Away for a moment.' }] : [200, { currency, rate: 1.25 }]),
  'POST /log': (_, { message }) => {
    process.stdout.write(`log: ${message}\n`)
    return [200, {}]
  },
}

const server = createServer((request, response) => void respond(request, response))
async function respond(request, response) {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  const [, first, rest] = request.url.split('/')
  const route = routes[`${request.method} /${first}`]
  const [status, reply] = route === undefined ? [404, {}] : route(rest, body === '' ? {} : JSON.parse(body))
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
}
server.listen(Number(process.argv[2] ?? 4010), '127.0.0.1', () => {
  process.stdout.write(`The services of the examples are at http://127.0.0.1:${server.address().port}. Ctrl-C ends them.\n`)
})
