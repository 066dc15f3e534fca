import { groupSchema, type Resource, userSchema } from './scim-resources.ts'

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const resultsMax = 200

/** A page of resources. @param startIndex counted from 1. */
export function listOf(
  resources: readonly Resource[],
  { total, startIndex }: { readonly total: number; readonly startIndex: number },
): Resource {
  return { schemas: [listSchema], totalResults: total, startIndex, itemsPerPage: resources.length, Resources: resources }
}

/** The resources that describe this service (RFC 7643, sections 5 to 7), by path. */
export function discoveryOf(base: string): Readonly<Record<string, Resource>> {
  const types = [typeOf('User', '/Users', userSchema, base), typeOf('Group', '/Groups', groupSchema, base)]
  const schemas = [schemaOf(userSchema, 'User', userFields, base), schemaOf(groupSchema, 'Group', groupFields, base)]
  const all = (resources: readonly Resource[]) => listOf(resources, { total: resources.length, startIndex: 1 })
  return {
    '/ServiceProviderConfig': configOf(base),
    '/ResourceTypes': all(types),
    '/Schemas': all(schemas),
    ...Object.fromEntries(types.map((type) => [`/ResourceTypes/${String(type['id'])}`, type])),
    ...Object.fromEntries(schemas.map((schema) => [`/Schemas/${String(schema['id'])}`, schema])),
  }
}

function configOf(base: string): Resource {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    documentationUri: `${base.replace(/\/scim\/v2$/, '')}/api/docs`,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: resultsMax },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      { type: 'oauthbearertoken', name: 'Bearer token', description: 'The token of the account, from its settings.', primary: true },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

function typeOf(name: string, endpoint: string, schema: string, base: string): Resource {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint,
    schema,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }
}

interface Field {
  readonly name: string
  readonly type?: 'string' | 'boolean' | 'complex'
  readonly multiValued?: boolean
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly uniqueness?: 'server' | 'none'
  readonly subs?: readonly Field[]
}

const userFields: readonly Field[] = [
  { name: 'userName', required: true, uniqueness: 'server' },
  { name: 'displayName' },
  { name: 'name', type: 'complex', subs: [{ name: 'formatted' }, { name: 'givenName' }, { name: 'familyName' }] },
  { name: 'active', type: 'boolean' },
  {
    name: 'emails',
    type: 'complex',
    multiValued: true,
    readOnly: true,
    subs: [{ name: 'value' }, { name: 'type' }, { name: 'primary', type: 'boolean' }],
  },
  { name: 'roles', type: 'complex', multiValued: true, readOnly: true, subs: [{ name: 'value' }, { name: 'primary', type: 'boolean' }] },
  { name: 'groups', type: 'complex', multiValued: true, readOnly: true, subs: [{ name: 'value' }, { name: 'display' }] },
]
const groupFields: readonly Field[] = [
  { name: 'displayName', required: true, uniqueness: 'server' },
  { name: 'members', type: 'complex', multiValued: true, subs: [{ name: 'value' }, { name: 'display' }, { name: 'type' }] },
]

function schemaOf(id: string, name: string, fields: readonly Field[], base: string): Resource {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    attributes: fields.map(attributeOf),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }
}

function attributeOf({
  name,
  type = 'string',
  multiValued = false,
  required = false,
  readOnly = false,
  uniqueness = 'none',
  subs,
}: Field): Resource {
  return {
    name,
    type,
    multiValued,
    required,
    caseExact: false,
    mutability: readOnly ? 'readOnly' : 'readWrite',
    returned: 'default',
    uniqueness,
    ...(subs === undefined ? {} : { subAttributes: subs.map(attributeOf) }),
  }
}
