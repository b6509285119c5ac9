export const words = {
  fields: {
    url: 'Endpoint URL',
    urlDescription: 'Galley sends a POST request to this URL for each event.',
    description: 'Description',
    descriptionDescription:
      'What the webhook is for. Galley shows the first line as the name of the webhook.',
  },
  events: {
    label: 'Events',
    description: 'Choose at least one. Galley sends only these events to the URL.',
    all: 'All events',
    allDescription: 'Including events that later versions of Galley add.',
    groups: { template: 'Templates', module: 'Modules', webhook: 'Webhooks' },
    allOf: {
      template: 'All template events',
      module: 'All module events',
      webhook: 'All webhook events',
    },
    allOfDescription: 'Including events that later versions add.',
    kinds: {
      'template.created': 'Somebody created a template.',
      'template.updated': 'Somebody changed a template.',
      'template.deleted': 'Somebody deleted a template.',
      'template.duplicated': 'Somebody copied a template.',
      'template.restored': 'Somebody restored a template from the trash.',
      'template.published': 'A version of a template was published in an environment.',
      'template.unpublished': 'A template was unpublished from an environment.',
      'module.created': 'Somebody created a module.',
      'module.updated': 'Somebody changed a module.',
      'module.deleted': 'Somebody deleted a module.',
      'module.restored': 'Somebody restored a module from the trash.',
      'webhook.failing': 'Five consecutive delivery attempts of a webhook failed.',
      'webhook.disabled': 'Galley or a person disabled a webhook.',
      'webhook.active': 'A webhook works again, or a person enabled it.',
    },
  },
  headers: {
    label: 'Custom headers',
    description:
      'Galley sends these headers with each request, for example a token that your receiver checks. Galley stores the values encrypted and never shows them again.',
    name: 'Name',
    value: 'Value',
    nameOf: (number: number) => `Name of header ${number}`,
    valueOf: (number: number) => `Value of header ${number}`,
    remove: (number: number) => `Remove header ${number}`,
    add: 'Add a header',
  },
  advanced: {
    title: 'Advanced',
    resourceIds: 'Only these resources',
    resourceIdsDescription:
      'IDs of templates, modules or webhooks, one per line. Galley then sends only events about these resources. Leave this field empty for all resources.',
    rateLimit: 'Attempts per second',
    rateLimitDescription:
      'The maximum number of requests per second to your receiver, from 1 to 1,000. Events above the limit wait. None are lost.',
    noLimit: 'No limit',
    ordered: 'Send events in order',
    orderedDescription:
      'Galley sends the events of a resource one after another. If an event fails, later events of the same resource wait until it succeeds or has failed for good, which can take three days.',
  },
  problems: {
    urlMissing: 'Enter the URL of your receiver',
    eventsMissing: 'Choose at least one event',
    resourceIdsInvalid: 'Enter up to 100 different resource IDs, one per line',
    headerRepeated: (name: string) => `Two headers have the name ${name}. Remove one of them`,
  },
};
