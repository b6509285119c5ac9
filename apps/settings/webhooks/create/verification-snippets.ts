export interface VerificationSnippet {
  language: string;
  /** The command that installs the Standard Webhooks library. */
  install: string;
  code: string;
}

/*
 * The snippets read the secret from an environment variable, which the page asks the user to set. `headers` are the
 * request headers with lower-case names. `body` is the raw body: it must be verified unchanged, because every byte is
 * signed. docs/use/webhooks.md shows the same check without a library.
 */
export const VERIFICATION_SNIPPETS: readonly VerificationSnippet[] = [
  {
    language: 'Node.js',
    install: 'npm install standardwebhooks',
    code: `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

// Throws an error if the notification is not genuine. In that case, respond with 401.
export function verify(headers, body) {
  return webhook.verify(body, headers);
}`,
  },
  {
    language: 'Python',
    install: 'pip install standardwebhooks',
    code: `import os
from standardwebhooks.webhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])

# Raises WebhookVerificationError if the notification is not genuine. In that case, respond with 401.
def verify(headers: dict, body: bytes):
    return webhook.verify(body, headers)`,
  },
  {
    language: 'Go',
    install: 'go get github.com/standard-webhooks/standard-webhooks/libraries',
    code: `package receiver

import (
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Verify returns an error if the notification is not genuine. In that case, respond with 401.
func Verify(header http.Header, body []byte) error {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		return err
	}
	return webhook.Verify(body, header)
}`,
  },
  {
    language: 'Ruby',
    install: 'gem install standardwebhooks',
    code: `require 'standardwebhooks'

WEBHOOK = StandardWebhooks::Webhook.new(ENV.fetch('WEBHOOK_SECRET'))

# Raises an error if the notification is not genuine. In that case, respond with 401.
def verify(headers, body)
  WEBHOOK.verify(body, headers)
end`,
  },
  {
    language: 'PHP',
    install: 'composer require standard-webhooks/standard-webhooks',
    code: `<?php
require 'vendor/autoload.php';

// Pass array_change_key_case(getallheaders()) and file_get_contents('php://input').
// Throws an exception if the notification is not genuine. In that case, respond with 401.
function verify(array $headers, string $body): array {
    $webhook = new \\StandardWebhooks\\Webhook(getenv('WEBHOOK_SECRET'));
    return $webhook->verify($body, $headers);
}`,
  },
];
