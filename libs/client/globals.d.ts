// The generated client takes it from the browser's types; Node's have it under another name.
type BodyInit = NonNullable<RequestInit['body']>;
