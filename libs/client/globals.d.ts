// The generated client uses `BodyInit`, a browser type that Node's types do not declare.
type BodyInit = NonNullable<RequestInit['body']>;
