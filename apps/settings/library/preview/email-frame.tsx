import { useEffect, useRef, useState } from 'react';
import frameUrl from './frame.html?url';
import classes from './preview.module.css';

interface EmailFrameProps {
  title: string;
  html: string;
  isDark?: boolean;
  marks?: readonly Mark[];
}

/** Marks a node of the email with a coloured outline and a label. */
export interface Mark {
  className: string;
  label: string;
  colour: string;
}

const NO_MARKS: readonly Mark[] = [];

// Taller emails scroll inside the iframe.
const MAX_HEIGHT = 20_000;
const FIRST_HEIGHT = 480;

/** Shows an email in a sandboxed iframe with an origin of its own. The iframe is as tall as the email. */
export function EmailFrame({ title, html, isDark = false, marks = NO_MARKS }: EmailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const [isLoaded, setIsLoaded] = useState(false);

  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<{ height?: unknown }>) => {
      if (source !== frame.current?.contentWindow || typeof data.height !== 'number') return;
      setHeight(Math.min(Math.max(data.height, 1), MAX_HEIGHT));
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, []);

  useEffect(() => {
    // The target origin is `*`, because a sandboxed iframe has an opaque origin, which no other value matches.
    if (isLoaded) frame.current?.contentWindow?.postMessage({ html, isDark, marks }, '*');
  }, [isLoaded, html, isDark, marks]);

  return (
    <iframe
      ref={frame}
      title={title}
      src={frameUrl}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      className={classes['frame']}
      height={height}
      onLoad={() => setIsLoaded(true)}
    />
  );
}
