// The generated client uses the name from the browser's types; Node's types have another name.
type BodyInit = NonNullable<RequestInit['body']>;
